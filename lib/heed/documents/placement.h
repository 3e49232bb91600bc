// Puts the inline markup of a segment into its translation.
#pragma once

#include <string>
#include <vector>

#include "heed/documents/document.h"

namespace heed::documents {

/// A piece of a translated segment.
struct Piece {
  enum class Kind { Text, Open, Close, Whole } kind = Kind::Text;
  Range text = {};           ///< Text: the range of the translation
  size_t mark = 0;           ///< Open, Close, Whole (a point or verbatim text): the index of the mark
  std::string literal = {};  ///< Text: instead of a range, if it is not empty
};

/// The pieces of a translation in their order. Every mark occurs once, and pairs are nested as in the segment.
///
/// - A pair encloses the run of words that maximizes the sum of (m_k - 1/2), where m_k is the share of word k's
/// attention
///   that goes to the words in the pair. Each word more than the pair has costs 0.45. Punctuation at an end is left out
///   if the pair's text has none there. A pair of all words keeps all words.
/// - A point is where it crosses the least attention: words before it should attend to the words before it in the
///   source.
/// - Verbatim text replaces its copy in the translation, else the words that attend to it, else it is added like a
///   point. Further copies of it, as of `%s`, are removed.
/// - A pair inside a word encloses the whole word, unless the translation has the same word.
std::vector<Piece> place_marks(const Segment& segment, const SegmentTranslation& translation);

}  // namespace heed::documents
