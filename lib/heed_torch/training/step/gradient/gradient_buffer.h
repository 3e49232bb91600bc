// The gradients of all parameters in one block of memory. The backward pass accumulates into it; sums and norms then
// need few operations. Blocks are reused during the whole training, so that no step allocates memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/training/step/gradient/flat_layout.h"

namespace heed::training {

class GradientBuffer {
 public:
  /// A block of zeros for these parameters, which must have the same dtype and device.
  explicit GradientBuffer(const std::vector<Tensor>& parameters);

  /// Makes the block the gradient of these parameters: backward() accumulates into it until another block is attached.
  void attach(const std::vector<Tensor>& parameters) const;
  void zero() { flat_.zero_(); }
  /// float [FlatLayout::size()]; the gaps stay 0.
  Tensor& flat() { return flat_; }

 private:
  Tensor flat_;
  std::vector<Tensor> views_;  // of each parameter
};

/// The Euclidean norms of the chunks of a flat block, or of a range of whole chunks: double [chunks].
Tensor chunk_norms(const Tensor& flat);
/// The norm of a block whose chunks have these norms, a double scalar on the same device. Chunks have a fixed size, so
/// the result does not depend on the number of threads or ranks.
Tensor norm_of_chunks(Tensor norms);

/// Blocks of the same layout that are reused. Safe from several threads.
class GradientPool {
 public:
  explicit GradientPool(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {}
  /// A block of zeros. It returns to the pool when its last holder releases it; the pool must still exist then.
  std::shared_ptr<GradientBuffer> take();

 private:
  void give_back(std::unique_ptr<GradientBuffer> buffer);

  std::vector<Tensor> parameters_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GradientBuffer>> idle_;
};

}  // namespace heed::training
