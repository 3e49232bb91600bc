// Which ids the pairs of an encoded corpus may have: a corpus from somebody else may have others, which index memory
// that is not there.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "heed/text/tokenizer.h"

namespace heed::data {

struct IdRange {
  int32_t first = std::numeric_limits<int32_t>::min();
  int32_t last = std::numeric_limits<int32_t>::max();
  /// Whether all `ids` are in the range.
  bool holds(std::span<const int32_t> ids) const;
};

/// The ranges of both sides of a pair. Every id is allowed by default.
struct IdRanges {
  IdRange source, target;
};
/// The ids of these tokenizers. Labels of words may be below 0 (no label); numbers have no vocabulary.
IdRanges id_ranges(const text::Tokenizers& tokenizers);

}  // namespace heed::data
