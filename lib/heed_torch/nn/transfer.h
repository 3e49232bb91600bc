// Tensors between host and device, several in one copy. A device computes behind the host: a copy to it need not be
// waited for if it comes from pinned memory, one from it is where the host waits until all work so far is done. On the
// CPU nothing is copied.
#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// These tensors of the CPU on `device`, in one copy that nobody waits for; on the CPU they themselves. Undefined ones
/// stay so.
std::vector<Tensor> upload(const std::vector<Tensor>& tensors, at::Device device);
Tensor upload(const Tensor& tensor, at::Device device);

/// These tensors of one device on the CPU, contiguous, in one copy that is waited for. Undefined ones stay so.
std::vector<Tensor> download(const std::vector<Tensor>& tensors);

}  // namespace heed::nn
