// The best few of a row of numbers: of a step's logits, those that search can choose among.
#pragma once

#include <cstdint>
#include <span>

namespace heed::search {

/// Writes the best numbers of the row to values (at least one), best first, and their places to places, which has as
/// many. Equal ones come in the order of their places; where the row has fewer, -inf and 0 follow. NaN is never among
/// them.
void best_of_row(std::span<const float> row, std::span<float> values, std::span<int64_t> places);

}  // namespace heed::search
