#include "heed/serve/document_texts.h"

#include <utility>

namespace heed::serve {

documents::SegmentTranslation segment_translation(const translation::Translation& translation) {
  return {.text = translation.text, .alignment = word_alignment(translation)};
}

void DocumentTexts::add(std::unique_ptr<documents::Document> document) {
  Text added{.document = std::move(document), .lines = {}};
  for (const documents::Segment& segment : added.document->segments()) added.lines.push_back(lines_.add(segment.text));
  texts_.push_back(std::move(added));
}

}  // namespace heed::serve
