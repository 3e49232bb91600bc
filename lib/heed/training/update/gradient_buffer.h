// The gradients of all parameters in one block of memory that lives as long as training does: the backward pass adds
// into it, replicas are summed and norms are taken in one operation, and no update maps new memory.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

class GradientBuffer {
 public:
  /// Gives every parameter (all of one dtype and device) a gradient of zeros that is a view of the block, 64-byte
  /// aligned. From then on backward() accumulates there, as long as nobody sets another gradient.
  explicit GradientBuffer(const std::vector<Tensor>& parameters);

  void zero() { flat_.zero_(); }
  /// float [size of all parameters, with the alignment's gaps, which stay 0].
  Tensor& flat() { return flat_; }

 private:
  Tensor flat_;
};

}  // namespace heed::training
