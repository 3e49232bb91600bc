// Which ids the pairs of an encoded corpus may have. A corpus from an untrusted source may have ids outside the
// vocabulary, which would index memory out of bounds.
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

/// The ranges for both sides of a pair. By default every id is allowed.
struct IdRanges {
  IdRange source, target;
};
/// The ids that these tokenizers can give. Labels of words may be kNoLabel, which is below 0. Numbers have no limits.
IdRanges id_ranges(const text::Tokenizers& tokenizers);

}  // namespace heed::data
