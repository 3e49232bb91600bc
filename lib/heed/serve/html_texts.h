// Texts in HTML, as lines to translate and back.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "heed/documents/different_texts.h"
#include "heed/documents/document.h"

namespace heed::serve {

/// The segments of several HTML documents or fragments. The lines are the segments' texts without repetition.
class HtmlTexts {
 public:
  /// Adds a text, which is well-formed UTF-8. name: its name in messages. Throws InputError if markup does not end.
  void add(const std::string& text, const std::string& name);
  /// The lines to translate, of all texts.
  const std::vector<std::string>& lines() const { return lines_.all(); }
  size_t texts() const { return texts_.size(); }

  /// A text with the translation of each segment: translation(n) is the SegmentTranslation of line n of lines().
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
