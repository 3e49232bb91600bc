// The additive score (Bahdanau et al. 2015) as a loop over decoder steps uses it: the same keys once a step,
//   e_j = v . tanh(q + k_j).
//
// The gradients of keys and v are sums over the steps. For float32 on the CPU they are added up in place while the
// backward pass walks over the steps, as heed_torch/nn/step_linear.h does for weights, and nothing of the hidden layer
// is kept; see heed/kernels/additive_scores_kernel.h. Elsewhere it is made of LibTorch's operations.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

class AdditiveScores {
 public:
  /// Begins one pass over the steps. keys: float [S, source, hidden]; vector: float [1, hidden], of the same type.
  AdditiveScores(const Tensor& keys, const Tensor& vector);

  /// query: float [S, rows, hidden], of the type of keys -> float [S, rows, source].
  Tensor operator()(const Tensor& query) const;

 private:
  struct Tape;

  Tensor keys_, vector_;
  std::shared_ptr<Tape> tape_;  // null where LibTorch's operations are used
};

}  // namespace heed::nn
