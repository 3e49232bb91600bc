// Copies several tensors between host and device at once. A device runs asynchronously. A copy to it from pinned memory
// returns at once; a copy from it waits until all previous work is done. On the CPU nothing is copied.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Copies CPU tensors to `device` in one asynchronous copy; on the CPU returns them unchanged. Undefined tensors stay
/// undefined.
std::vector<Tensor> upload(const std::vector<Tensor>& tensors, at::Device device);
Tensor upload(const Tensor& tensor, at::Device device);

/// Copies tensors of one device to the CPU in one copy and waits for it. Results are contiguous; undefined tensors stay
/// undefined.
std::vector<Tensor> download(const std::vector<Tensor>& tensors);

}  // namespace heed::nn
