// The coverage penalty (Wu et al. 2016, https://arxiv.org/abs/1609.08144, equation 14):
//   cp = sum_i log min(sum_j a_ij, 1)
// over the source positions i, of the attention a_ij that they get from the target positions j. It is 0 where every
// position gets as much as one word looks at, and below 0 where some are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::search {

/// What a position counts as that gets no attention at all.
inline constexpr double kLeastCoverage = 1e-6;

/// attention: rows of a hypothesis, one for each token and end-of-sentence; of each the first `positions` weights are
/// over the source without end-of-sentence.
double coverage(std::span<const std::span<const float>> attention, int64_t positions);

}  // namespace heed::search
