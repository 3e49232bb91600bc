// The candidates of a line that are best for some step along a line through the space of weights: their scores are
// straight lines, at_zero + step * slope, and the best ones their upper envelope (Och 2003,
// https://aclanthology.org/P03-1021; Macherey et al. 2008, https://aclanthology.org/D08-1076).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::reranking {

/// A candidate's score along the line.
struct Ray {
  double at_zero = 0;
  double slope = 0;
};

/// From this step on, up to the next stretch's, a candidate is best.
struct Stretch {
  double begin = 0;  ///< of the first one minus infinity
  size_t ray = 0;
};

/// From minus infinity to plus infinity, at least one stretch. Of rays that are equal the first is taken.
std::vector<Stretch> upper_envelope(std::span<const Ray> rays);

}  // namespace heed::reranking
