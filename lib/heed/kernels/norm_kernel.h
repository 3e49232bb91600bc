// Normalization of bfloat16 rows for training, with its gradient. All numbers in between are float32.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Rows [rows, width] of bfloat16 numbers and their statistics. heed_torch/nn/norm.h has the formulas.
struct RoundedNorm {
  const uint16_t* x;
  int64_t width;
  const float* weight;  ///< [width]
  const float* bias;    ///< [width]; null: root mean square normalization, which has no mean either
  double epsilon;
  float* mean;    ///< [rows]: output of the forward pass, input of the backward pass; unused without a bias
  float* factor;  ///< [rows]: 1 / sqrt(variance + epsilon), likewise
};

/// y = norm(x), rows [begin, end).
void normalize(const RoundedNorm& norm, uint16_t* y, int64_t begin, int64_t end);

struct RoundedNormGradients {
  const uint16_t* y;         ///< the gradient of y
  const uint16_t* residual;  ///< is added to the gradient of x; null: nothing
  uint16_t* x;               ///< out
  float* weight;             ///< [width], out: the sum over the rows of this call
  float* bias;               ///< likewise; null without a bias
};

/// The gradients of rows [begin, end).
void normalize_backward(const RoundedNorm& norm, const RoundedNormGradients& gradients, int64_t begin, int64_t end);

}  // namespace heed::kernels
