// The gradients of all parameters in one block of memory: the backward pass adds into it, and sums and norms are taken
// in few operations. Blocks live as long as training does, so that no update maps new memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::training {

using at::Tensor;

/// In elements: 64 bytes of float. Parameters and slices of gradients begin at multiples of it.
inline constexpr int64_t kGradientAlignment = 16;

class GradientBuffer {
 public:
  /// For parameters like these, all of one dtype and device: zeros.
  explicit GradientBuffer(const std::vector<Tensor>& parameters);

  /// Makes it the gradient of these parameters: from then on backward() accumulates there, until another is theirs.
  void attach(const std::vector<Tensor>& parameters) const;
  void zero() { flat_.zero_(); }
  /// float [size of all parameters, each 64-byte aligned, filled up to whole chunks of the norm]; gaps stay 0.
  Tensor& flat() { return flat_; }

 private:
  Tensor flat_;
  std::vector<Tensor> views_;  // of each parameter
};

/// The Euclidean norm of a flat block, a double scalar on its device: that of the norms of chunks of fixed size, so
/// that it does not depend on the number of threads.
Tensor gradient_norm(const Tensor& flat);

/// Blocks of the same layout, used again and again. Safe from several threads.
class GradientPool {
 public:
  explicit GradientPool(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {}
  /// Zeros.
  std::unique_ptr<GradientBuffer> take();
  void give_back(std::unique_ptr<GradientBuffer> buffer);

 private:
  std::vector<Tensor> parameters_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GradientBuffer>> idle_;
};

}  // namespace heed::training
