// The loss of R-Drop on the CPU: one pair of rows of logits at a time, while it is in the cache. See
// heed_torch/nn/losses/cross_entropy.h.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Logits [2, pairs, vocabulary]: the same positions in two passes.
struct RDropRows {
  float* logits;           ///< replaced by the gradient of the loss if `gradient`
  const int64_t* targets;  ///< [pairs], each in [0, vocabulary)
  float* loss[2];          ///< out: [pairs] for each pass; their sum is the loss of the pair
  float* nll[2];           ///< out: [pairs] for each pass, half of the negative log-likelihood
  int64_t pairs, vocabulary;
  double smoothing;
  double alpha;
  bool gradient;
};

/// Computes pairs [begin, end). If a pair has a logit that is not finite, its loss and gradient are NaN.
void compute_r_drop_rows(const RDropRows& rows, int64_t begin, int64_t end);

}  // namespace heed::kernels
