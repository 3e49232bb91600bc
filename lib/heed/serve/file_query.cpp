#include "heed/serve/file_query.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/text/unicode.h"
#include "heed/documents/formats.h"
#include "heed/serve/terms.h"

namespace heed::serve {
namespace {

using translation::Translation;

constexpr std::string_view kTextEnding = ".txt";
constexpr size_t kLongestName = 100;  // bytes

/// Memory that the files in a Word document may take. Text that is larger by more than this was made to do harm.
size_t largest_contents(size_t archive) { return std::max<size_t>(size_t{4} << 20, 8 * archive); }

/// The last part of a client's path, of characters that need no quotes anywhere.
std::string safe_name(const std::string& given) {
  std::string name = given.substr(given.find_last_of("/\\") + 1);
  for (char& character : name) {
    const bool plain = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
                       (character >= '0' && character <= '9') || character == '.' || character == '-';
    if (!plain) character = '_';
  }
  return name.substr(name.size() - std::min(name.size(), kLongestName));
}

/// page.html in German: page_de.html.
std::string translated_name(const std::string& name, const std::string& target) {
  const size_t ending = std::min(name.rfind('.'), name.size());
  return safe_name(name.substr(0, ending) + "_" + target + name.substr(ending));
}

/// Throws RequestError unless a file of no known format is text in UTF-8. Without the ending .txt it must not have NUL
/// characters either.
void require_text(const std::string& bytes, const std::string& name) {
  const bool named = lower(name).ends_with(kTextEnding), is_utf8 = !first_invalid_utf8(bytes);
  if (is_utf8 && (named || bytes.find('\0') == std::string::npos)) return;
  if (named) throw RequestError(400, fmt::format("{} is not text in UTF-8", name));
  throw RequestError(400, fmt::format("`file`: it is not text in UTF-8, and its name does not end in {}",
                                      fmt::join(translated_endings(), ", ")));
}

/// A file whose name does not end as that of a document is text, whatever its ending (news.en).
std::variant<TextLines, DocumentTexts> text_of(const UploadedFile& file, const std::string& name,
                                               const std::string& target) {
  const auto format = documents::format_of_name(name);
  if (!format) {
    require_text(file.bytes, name);
    TextLines lines;
    lines.add(file.bytes);
    return lines;
  }
  DocumentTexts document;
  document.add(documents::read_document(
      *format, file.bytes, name, {.target_language = target, .largest_contents = largest_contents(file.bytes.size())}));
  return document;
}

}  // namespace

std::vector<std::string> translated_endings() {
  std::vector<std::string> endings = documents::document_endings();
  endings.emplace_back(kTextEnding);
  std::ranges::sort(endings);
  return endings;
}

FileQuery::FileQuery(const UploadedFile& file, const Parameters& parameters) : terms_(read_terms(parameters)) {
  const std::string target = parameters.required_text("target", "the language to translate into");
  const std::string name = safe_name(file.name);
  text_ = text_of(file, name, target);
  name_ = translated_name(name, target);
}

const std::vector<std::string>& FileQuery::lines() const {
  return std::visit([](const auto& text) -> const auto& { return text.lines(); }, text_);
}

TranslationJob FileQuery::job(const ModelSet::Entry& entry) const {
  TranslationJob job;
  job.model = entry.model;
  job.lines = lines();
  job.settings.target_tag = entry.target_tag;
  job.settings.terms = terms_;
  job.settings.attention = std::holds_alternative<DocumentTexts>(text_);
  return job;
}

std::string FileQuery::translated(const std::vector<Translation>& translations) const {
  if (const auto* lines = std::get_if<TextLines>(&text_)) {
    return lines->translated(0, [&](size_t line) { return translations[line].text; });
  }
  return std::get<DocumentTexts>(text_).translated(
      0, [&](size_t line) { return segment_translation(translations[line]); });
}

}  // namespace heed::serve
