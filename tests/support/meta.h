// The `meta` device for whole modules. Its tensors have shapes and no values: a forward and backward pass on it fails
// where a tensor was left on the CPU, as it would on CUDA.
#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

namespace heed::test_support {

/// Puts every parameter and buffer on `meta`. (Module::to refuses this: set_data takes the two for incompatible.)
inline void to_meta(torch::nn::Module& module) {
  const auto move = [](const at::Tensor& tensor) {
    const at::Tensor meta = torch::empty_like(tensor, tensor.options().device(at::kMeta));
    tensor.unsafeGetTensorImpl()->shallow_copy_from(meta.getIntrusivePtr());
  };
  for (const at::Tensor& parameter : module.parameters()) move(parameter);
  for (const at::Tensor& buffer : module.buffers()) move(buffer);
}

}  // namespace heed::test_support
