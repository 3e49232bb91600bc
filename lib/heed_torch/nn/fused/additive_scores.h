// The additive score (Bahdanau et al. 2015) for a loop over decoder steps, where every step uses the same keys:
//   e_j = v . tanh(q + k_j).
//
// The gradients of keys and v are sums over the steps. For float32 on the CPU the backward pass adds them in place, as
// heed_torch/nn/step_linear.h does for weights. The hidden layer is never stored; see
// heed/kernels/additive_scores_kernel.h. Other types and devices use LibTorch's operations.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

class AdditiveScores {
 public:
  /// Starts one pass over the steps. keys: float [S, source, hidden]; vector: float [1, hidden], the same type.
  AdditiveScores(const Tensor& keys, const Tensor& vector);

  /// query: float [S, rows, hidden], the same type as keys -> float [S, rows, source].
  Tensor operator()(const Tensor& query) const;

 private:
  struct Tape;

  Tensor keys_, vector_;
  std::shared_ptr<Tape> tape_;  // null if LibTorch's operations are used
};

}  // namespace heed::nn
