// The loss from logits on the CPU: softmax, loss and gradient of one row at a time, or of one pair of rows for R-Drop,
// while it is in the cache. See heed_torch/nn/losses/cross_entropy.h.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Rows of logits [rows, vocabulary] and the results for them.
struct LossRows {
  float* logits;           ///< overwritten: by the gradient of the loss if `gradient` and `rounded` is null
  const int64_t* targets;  ///< [rows], each in [0, vocabulary)
  float* loss;             ///< out: [rows]
  float* nll;              ///< out: [rows]
  uint16_t* rounded;       ///< out: the gradient in bfloat16, [rows, vocabulary]; null: not wanted
  int64_t vocabulary;
  double smoothing;
  bool gradient;
};

/// Computes rows [begin, end). If a row has a logit that is not finite, its loss and gradient are NaN.
void compute_loss_rows(const LossRows& rows, int64_t begin, int64_t end);

/// Logits [2, pairs, vocabulary]: the same positions in two passes.
struct RDropRows {
  float* logits;           ///< replaced by the gradient of the loss if `gradient`
  const int64_t* targets;  ///< [pairs], each in [0, vocabulary)
  float* loss[2];          ///< out: [pairs] for each pass; their sum is the loss of the pair
  float* nll[2];           ///< out: [pairs] for each pass, half of the negative log-likelihood
  uint16_t* rounded[2];    ///< out: the gradient in bfloat16, [pairs, vocabulary] for each pass; null: not wanted
  int64_t pairs, vocabulary;
  double smoothing;
  double alpha;
  bool gradient;
};

/// Computes pairs [begin, end). If a pair has a logit that is not finite, its loss and gradient are NaN.
void compute_r_drop_rows(const RDropRows& rows, int64_t begin, int64_t end);

}  // namespace heed::kernels
