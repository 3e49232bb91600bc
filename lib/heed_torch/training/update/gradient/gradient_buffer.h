// The gradients of all parameters in one block of memory: the backward pass adds into it, and sums and norms are taken
// in few operations. Blocks live as long as training does, so that no update maps new memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/training/update/gradient/flat_layout.h"

namespace heed::training {

class GradientBuffer {
 public:
  /// For parameters like these, all of one dtype and device: zeros.
  explicit GradientBuffer(const std::vector<Tensor>& parameters);

  /// Makes it the gradient of these parameters: from then on backward() accumulates there, until another is theirs.
  void attach(const std::vector<Tensor>& parameters) const;
  void zero() { flat_.zero_(); }
  /// float [FlatLayout::size()]; gaps stay 0.
  Tensor& flat() { return flat_; }

 private:
  Tensor flat_;
  std::vector<Tensor> views_;  // of each parameter
};

/// The Euclidean norms of the chunks of a flat block, or of a stretch of whole chunks: double [chunks].
Tensor chunk_norms(const Tensor& flat);
/// The norm of the block with chunks of these norms, a double scalar on their device. Chunks are of fixed size, so that
/// it does not depend on the number of threads or ranks.
Tensor norm_of_chunks(Tensor norms);

/// Blocks of the same layout, used again and again. Safe from several threads.
class GradientPool {
 public:
  explicit GradientPool(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {}
  /// Zeros. The block comes back when its last holder lets it go, which must be while the pool lives.
  std::shared_ptr<GradientBuffer> take();

 private:
  void give_back(std::unique_ptr<GradientBuffer> buffer);

  std::vector<Tensor> parameters_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GradientBuffer>> idle_;
};

}  // namespace heed::training
