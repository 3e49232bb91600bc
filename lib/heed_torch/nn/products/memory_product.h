// Products of every step of a pass with the same matrix of each sentence, x_t M: attention's weights times the memory's
// states, or queries times its keys. As for the weight of StepLinear, the gradient of M is one product over all steps,
//   dL/dM = [x_1; ...; x_T]^T [dy_1; ...; dy_T],
// where one product for each step would write and add a matrix as large as the memory every time.
#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

class MemoryProduct {
 public:
  /// Begins one pass over the steps. memory: float [S, inner, d].
  explicit MemoryProduct(const Tensor& memory);

  /// x: float [S, rows, inner] -> x M, float [S, rows, d]; under autocast in its type.
  Tensor operator()(const Tensor& x) const;

 private:
  struct Tape;

  Tensor memory_;
  std::shared_ptr<Tape> tape_;  // null where the memory wants no gradient
};

}  // namespace heed::nn
