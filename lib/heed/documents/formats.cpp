#include "heed/documents/formats.h"

#include <algorithm>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/readers.h"

namespace heed::documents {
namespace {

constexpr auto kEndings =
    std::to_array<std::pair<std::string_view, DocumentFormat>>({{".html", DocumentFormat::Html},
                                                                {".htm", DocumentFormat::Html},
                                                                {".xhtml", DocumentFormat::Html},
                                                                {".xml", DocumentFormat::Xml},
                                                                {".xlf", DocumentFormat::Xliff},
                                                                {".xliff", DocumentFormat::Xliff},
                                                                {".po", DocumentFormat::Po},
                                                                {".pot", DocumentFormat::Po},
                                                                {".tmx", DocumentFormat::Tmx},
                                                                {".srt", DocumentFormat::Srt},
                                                                {".vtt", DocumentFormat::Vtt},
                                                                {".md", DocumentFormat::Markdown},
                                                                {".markdown", DocumentFormat::Markdown},
                                                                {".docx", DocumentFormat::Docx}});

/// Throws InputError unless the bytes are UTF-8 text.
void require_text(std::string_view bytes, const std::string& name) {
  const size_t zero = bytes.find('\0'), invalid = first_invalid_utf8(bytes).value_or(bytes.size());
  const size_t wrong = std::min(zero, invalid);
  if (wrong >= bytes.size()) return;
  const int64_t line = 1 + std::ranges::count(bytes.substr(0, wrong), '\n');
  const size_t begin = wrong == 0 ? 0 : bytes.rfind('\n', wrong - 1) + 1;
  if (invalid == wrong || bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    throw invalid_text(name, line, bytes.substr(begin), wrong - begin);
  }
  throw InputError(name, line, "expected text, found a zero byte: is it another kind of file?");
}

}  // namespace

std::optional<DocumentFormat> format_of_name(std::string_view path) {
  const std::string name = lower(path);
  for (const auto& [ending, format] : kEndings) {
    if (name.ends_with(ending)) return format;
  }
  return std::nullopt;
}

std::vector<std::string> document_endings() {
  std::vector<std::string> endings;
  for (const auto& [ending, format] : kEndings) endings.emplace_back(ending);
  return endings;
}

std::unique_ptr<Document> read_document(DocumentFormat format, std::string bytes, const std::string& name,
                                        const DocumentOptions& options) {
  if (format == DocumentFormat::Docx) return read_docx(std::move(bytes), name, options.largest_contents);
  require_text(bytes, name);
  switch (format) {
    case DocumentFormat::Html:
      return read_html(std::move(bytes), name);
    case DocumentFormat::Xml:
      return read_xml(std::move(bytes), name);
    case DocumentFormat::Xliff:
      return read_xliff(std::move(bytes), name);
    case DocumentFormat::Po:
      return read_po(std::move(bytes), name);
    case DocumentFormat::Tmx:
      return read_tmx(std::move(bytes), name, options.target_language);
    case DocumentFormat::Srt:
      return read_srt(std::move(bytes), name);
    case DocumentFormat::Vtt:
      return read_vtt(std::move(bytes), name);
    case DocumentFormat::Markdown:
      return read_markdown(std::move(bytes), name);
    case DocumentFormat::Docx:
      break;
  }
  return nullptr;
}

}  // namespace heed::documents
