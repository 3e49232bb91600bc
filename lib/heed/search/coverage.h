// The coverage penalty (Wu et al. 2016, https://arxiv.org/abs/1609.08144, equation 14):
//   cp = sum_i log min(sum_j a_ij, 1)
// over the source positions i, where a_ij is the attention that position i gets from target position j. It is 0 if
// every source position gets a total attention of at least 1, and negative if some get less.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::search {

/// The lower bound of a position's total attention, so that the logarithm is finite.
inline constexpr double kLeastCoverage = 1e-6;

/// attention: one row per token and for end-of-sentence. The first `positions` weights of a row belong to the source
/// without end-of-sentence.
double coverage(std::span<const std::span<const float>> attention, int64_t positions);

}  // namespace heed::search
