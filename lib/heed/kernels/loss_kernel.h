// The softmax side of the loss on the CPU: one row of logits at a time, while it is in the cache.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Rows of logits [rows, vocabulary] and what becomes of them.
struct LossRows {
  float* logits;           ///< overwritten by the gradient of the loss if `gradient`
  const int64_t* targets;  ///< [rows], each in [0, vocabulary)
  float* loss;             ///< out: [rows]
  float* nll;              ///< out: [rows]
  int64_t vocabulary;
  double smoothing;
  bool gradient;
};

/// Computes rows [begin, end). A row with a logit that is not finite has the loss and gradient NaN.
void compute_loss_rows(const LossRows& rows, int64_t begin, int64_t end);

}  // namespace heed::kernels
