// The candidates of a line that are best for some step along a line in weight space. Their scores are straight lines,
// at_zero + step * slope, and the best candidates form the upper envelope (Och 2003, https://aclanthology.org/P03-1021;
// Macherey et al. 2008, https://aclanthology.org/D08-1076).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::reranking {

/// A candidate's score along the line in weight space.
struct Ray {
  double at_zero = 0;
  double slope = 0;
};

/// An interval of steps in which one candidate is best. It ends where the next stretch begins.
struct Stretch {
  double begin = 0;  ///< minus infinity for the first stretch
  size_t ray = 0;
};

/// The stretches from minus infinity to plus infinity; at least one. Of equal rays the first is used.
std::vector<Stretch> upper_envelope(std::span<const Ray> rays);

}  // namespace heed::reranking
