#include "heed/training/update/gradient_buffer.h"

#include <ATen/ATen.h>

namespace heed::training {

GradientBuffer::GradientBuffer(const std::vector<Tensor>& parameters) {
  TORCH_CHECK(!parameters.empty(), "no parameter to take gradients of");
  constexpr int64_t kAlignment = 16;  // elements: 64 bytes of float
  std::vector<int64_t> begins;
  int64_t size = 0;
  for (const Tensor& parameter : parameters) {
    begins.push_back(size);
    size += (parameter.numel() + kAlignment - 1) / kAlignment * kAlignment;
  }
  flat_ = at::zeros({size}, parameters[0].options().requires_grad(false));
  for (size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].mutable_grad() = flat_.narrow(0, begins[i], parameters[i].numel()).view(parameters[i].sizes());
  }
}

}  // namespace heed::training
