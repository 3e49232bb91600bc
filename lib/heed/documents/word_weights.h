// The words of a segment and of its translation, and how strongly they belong together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heed/documents/document.h"

namespace heed::documents {

class WordWeights {
 public:
  /// The words of the alignment. If it does not fit the texts: their words, aligned by relative position. A word that
  /// occurs once in both texts belongs to itself only.
  WordWeights(std::string_view source, const SegmentTranslation& translation);

  /// The ranges of the translation's words.
  const std::vector<Range>& target() const { return target_; }
  /// The share of a target word's weight on source words that overlap the range.
  double share(size_t target_word, Range source_range) const;
  /// Sets the weight of a target word to the source words that overlap the range.
  void attend_only(size_t target_word, Range source_range);
  /// The source words that overlap the range, [first, end).
  Range source_words(Range source_range) const;
  const std::vector<Range>& source() const { return source_; }

 private:
  void align_by_position();
  void align_equal_words(std::string_view source, std::string_view target);

  std::vector<Range> source_, target_;
  std::vector<std::vector<float>> sums_;  // [target][source + 1]: the weight of all words before
};

/// Whether two ranges have bytes in common.
constexpr bool overlap(Range a, Range b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace heed::documents
