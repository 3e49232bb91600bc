// What `heed translate` reads: lines of text, columns or objects, or a document.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/documents/formats.h"
#include "translate/line_format.h"

namespace heed::apps {

enum class InputFormat { Text, Tsv, Json, Html, Xml, Xliff, Po, Tmx, Srt, Vtt, Markdown, Docx };
constexpr auto option_names(InputFormat) {
  return std::array{std::pair{InputFormat::Text, "text"},
                    std::pair{InputFormat::Tsv, "tsv"},
                    std::pair{InputFormat::Json, "json"},
                    std::pair{InputFormat::Html, "html"},
                    std::pair{InputFormat::Xml, "xml"},
                    std::pair{InputFormat::Xliff, "xliff"},
                    std::pair{InputFormat::Po, "po"},
                    std::pair{InputFormat::Tmx, "tmx"},
                    std::pair{InputFormat::Srt, "srt"},
                    std::pair{InputFormat::Vtt, "vtt"},
                    std::pair{InputFormat::Markdown, "markdown"},
                    std::pair{InputFormat::Docx, "docx"}};
}

/// The format of lines; text for a document.
LineForm line_form(InputFormat format);
/// The format of a document; absent for lines.
std::optional<documents::DocumentFormat> document_format(InputFormat format);
/// The format that the name of the only input file tells; absent: lines.
std::optional<documents::DocumentFormat> format_of_input(const std::vector<std::string>& input);

}  // namespace heed::apps
