// Documents, as lines to translate and back.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "heed/documents/different_texts.h"
#include "heed/documents/document.h"
#include "heed/translation/lines/translation.h"

namespace heed::serve {

/// What a document gets for a segment. translation: with the attention.
documents::SegmentTranslation segment_translation(const translation::Translation& translation);

/// The segments of several documents, or of parts of HTML. The lines are the segments' texts without repetition.
class DocumentTexts {
 public:
  void add(std::unique_ptr<documents::Document> document);
  /// The lines to translate, of all documents.
  const std::vector<std::string>& lines() const { return lines_.all(); }
  size_t texts() const { return texts_.size(); }

  /// A document with the translation of each segment: translation(n) is the SegmentTranslation of line n of lines().
  template <class TranslationOf>
  std::string translated(size_t text, const TranslationOf& translation) const {
    std::vector<documents::SegmentTranslation> segments;
    for (const size_t line : texts_[text].lines) segments.push_back(translation(line));
    return texts_[text].document->translated(segments);
  }

 private:
  struct Text {
    std::unique_ptr<documents::Document> document;
    std::vector<size_t> lines;  // of its segments
  };

  documents::DifferentTexts lines_;
  std::vector<Text> texts_;
};

}  // namespace heed::serve
