// The largest few numbers of a row, such as a row of logits.
#pragma once

#include <cstdint>
#include <span>

namespace heed::search {

/// Writes the largest numbers of the row to `values` (at least one), largest first, and their indices to `places`,
/// which has the same size. Ties: the lower index first. If the row has fewer numbers, -inf and 0 follow. NaN is never
/// among them.
void best_of_row(std::span<const float> row, std::span<float> values, std::span<int64_t> places);

}  // namespace heed::search
