// Documents of every format, which are "translated" by reversing their words.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/targets/targets.h"
#include "heed/core/text/unicode.h"
#include "heed/documents/document.h"
#include "heed/documents/formats.h"
#include "heed/documents/segment_builder.h"

namespace heed::fuzz {
namespace {

using documents::DocumentFormat;

/// The words in reverse order, aligned with those of the segment.
documents::SegmentTranslation reversed(const documents::Segment& segment) {
  documents::SegmentTranslation translation;
  const auto words = split_whitespace(segment.text);
  for (const std::string_view word : words) {
    translation.alignment.source.emplace_back(word);
    translation.text = std::string(word) + (translation.text.empty() ? "" : " ") + translation.text;
  }
  translation.alignment.target.assign(translation.alignment.source.rbegin(), translation.alignment.source.rend());
  for (size_t i = 0; i < words.size() && words.size() <= 200; ++i) {
    translation.alignment.weights.emplace_back(words.size());
    translation.alignment.weights.back()[words.size() - 1 - i] = 1;
  }
  if (words.size() > 200) translation.alignment = {};
  return translation;
}

void translate(DocumentFormat format, std::string_view input) {
  const auto document = documents::read_document(format, std::string(input), "input", {.target_language = "de"});
  document->protect(documents::usual_protected_text());
  std::vector<documents::SegmentTranslation> translations;
  for (const documents::Segment& segment : document->segments()) {
    for (const documents::Mark& mark : segment.marks)
      require(mark.text.begin <= mark.text.end && mark.text.end <= segment.text.size());
    translations.push_back(reversed(segment));
  }
  document->translated(translations);
}

}  // namespace

void translate_html(std::string_view input) { translate(DocumentFormat::Html, input); }
void translate_xml(std::string_view input) { translate(DocumentFormat::Xml, input); }
void translate_xliff(std::string_view input) { translate(DocumentFormat::Xliff, input); }
void translate_po(std::string_view input) { translate(DocumentFormat::Po, input); }
void translate_tmx(std::string_view input) { translate(DocumentFormat::Tmx, input); }
void translate_srt(std::string_view input) { translate(DocumentFormat::Srt, input); }
void translate_vtt(std::string_view input) { translate(DocumentFormat::Vtt, input); }
void translate_markdown(std::string_view input) { translate(DocumentFormat::Markdown, input); }
void translate_docx(std::string_view input) { translate(DocumentFormat::Docx, input); }

}  // namespace heed::fuzz
