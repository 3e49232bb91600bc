// Multiplications x_t M of all steps with the same matrix M of each sentence: attention weights times encoder states,
// or queries times keys. As for the weight of StepLinear, the gradient of M is one multiplication over all steps,
//   dL/dM = [x_1; ...; x_T]^T [dy_1; ...; dy_T].
// One multiplication per step would write and add a matrix of the size of M each time.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

class MemoryProduct {
 public:
  /// Starts one pass over the steps. memory: float [S, inner, d], the matrix M.
  explicit MemoryProduct(const Tensor& memory);

  /// x: float [S, rows, inner] -> x M, float [S, rows, d]; under autocast in its dtype.
  Tensor operator()(const Tensor& x) const;

 private:
  struct Tape;

  Tensor memory_;
  std::shared_ptr<Tape> tape_;  // null if M needs no gradient
};

}  // namespace heed::nn
