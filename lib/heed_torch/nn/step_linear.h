// A linear layer for a loop over time steps, where every step uses the same weight.
//
// Backpropagation through time (Werbos 1990, https://doi.org/10.1109/5.58337) sums the weight's gradient over the
// steps, dL/dW = sum_t dy_t^T x_t. One matrix multiplication per step would read and write all of dL/dW each time.
// Instead, the backward pass collects the pairs (x_t, dy_t) and does one matrix multiplication over all steps:
//   dL/dW = [dy_1; ...; dy_T]^T [x_1; ...; x_T],    dL/db = sum of the rows of dy.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "heed_torch/nn/linear.h"

namespace heed::nn {

class StepLinear {
 public:
  /// Starts one pass over the steps. weight: float [out, in]; bias: float [out] or undefined. Under autocast the weight
  /// is cast once here, not at every step.
  explicit StepLinear(const Tensor& weight, const Tensor& bias = {});
  explicit StepLinear(Linear& linear) : StepLinear(linear->weight, linear->bias) {}

  /// x W^T + b. x: float [..., in] -> float [..., out].
  Tensor operator()(const Tensor& x) const;

 private:
  struct Tape;

  Tensor weight_, bias_;
  std::shared_ptr<Tape> tape_;  // null if no gradient is needed
};

}  // namespace heed::nn
