// The loss from logits on the CPU: softmax, loss and gradient of one row at a time, while it is in the cache.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Rows of logits [rows, vocabulary] and the results for them.
struct LossRows {
  float* logits;           ///< replaced by the gradient of the loss if `gradient`
  const int64_t* targets;  ///< [rows], each in [0, vocabulary)
  float* loss;             ///< out: [rows]
  float* nll;              ///< out: [rows]
  int64_t vocabulary;
  double smoothing;
  bool gradient;
};

/// Computes rows [begin, end). If a row has a logit that is not finite, its loss and gradient are NaN.
void compute_loss_rows(const LossRows& rows, int64_t begin, int64_t end);

}  // namespace heed::kernels
