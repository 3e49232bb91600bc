// The formats of documents.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/documents/document.h"

namespace heed::documents {

enum class DocumentFormat { Html, Xml, Xliff, Po, Tmx, Srt, Vtt, Markdown, Docx };
constexpr auto option_names(DocumentFormat) {
  return std::array{std::pair{DocumentFormat::Html, "html"},   std::pair{DocumentFormat::Xml, "xml"},
                    std::pair{DocumentFormat::Xliff, "xliff"}, std::pair{DocumentFormat::Po, "po"},
                    std::pair{DocumentFormat::Tmx, "tmx"},     std::pair{DocumentFormat::Srt, "srt"},
                    std::pair{DocumentFormat::Vtt, "vtt"},     std::pair{DocumentFormat::Markdown, "markdown"},
                    std::pair{DocumentFormat::Docx, "docx"}};
}

/// The format that a file's name ends in: page.html, help.xlf, README.md, ...
std::optional<DocumentFormat> format_of_name(std::string_view path);
/// The endings that format_of_name() knows: ".html", ...
std::vector<std::string> document_endings();

struct DocumentOptions {
  std::string target_language = {};           ///< for TMX, such as "de"
  size_t largest_contents = size_t{1} << 30;  ///< bytes of the files in a Word document, which is an archive
};

/// bytes: the whole file. name: of the file, in messages. Throws InputError if it does not have the format: markup that
/// is not closed, text that is not UTF-8, ...; ConfigError if the format needs an option.
std::unique_ptr<Document> read_document(DocumentFormat format, std::string bytes, const std::string& name,
                                        const DocumentOptions& options = {});

}  // namespace heed::documents
