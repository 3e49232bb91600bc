// The `meta` device for whole modules. Its tensors have shapes and no values: a forward and backward pass on it fails
// where a tensor was left on the CPU, as it would on CUDA.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include <ATen/ExpandUtils.h>
#include <torch/library.h>
#include <torch/nn/module.h>
#include <torch/torch.h>

namespace heed::test_support {

/// Shapes of the results of those operators whose meta form LibTorch has in Python only.
inline std::unique_ptr<torch::Library> make_meta_operators() {
  using at::Tensor;
  auto library =
      std::make_unique<torch::Library>(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
  library->impl("index_select", [](const Tensor& self, int64_t dimension, const Tensor& index) {
    std::vector<int64_t> shape = self.sizes().vec();
    shape[static_cast<size_t>(dimension)] = index.numel();
    return at::empty(shape, self.options());
  });
  library->impl("where.self", [](const Tensor& condition, const Tensor& self, const Tensor& other) {
    const auto values = at::infer_size(self.sizes(), other.sizes());
    return at::empty(at::infer_size(condition.sizes(), values), condition.options().dtype(self.scalar_type()));
  });
  library->impl("where.self_out",
                [](const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) -> Tensor& {
                  out.resize_(at::infer_size(condition.sizes(), at::infer_size(self.sizes(), other.sizes())));
                  return out;
                });
  library->impl("flip", [](const Tensor& x, at::IntArrayRef) { return at::empty_like(x); });
  library->impl("glu_backward", [](const Tensor&, const Tensor& x, int64_t) { return at::empty_like(x); });
  library->impl("relu", [](const Tensor& x) { return at::empty_like(x); });
  library->impl("native_layer_norm", [](const Tensor& x, c10::SymIntArrayRef, const std::optional<Tensor>&,
                                        const std::optional<Tensor>&, double) {
    const Tensor statistic = at::empty_like(x.select(-1, 0)).unsqueeze(-1);
    return std::tuple(at::empty_like(x), statistic, at::empty_like(statistic));
  });
  library->impl("native_layer_norm_backward",
                [](const Tensor& gradient, const Tensor& x, c10::SymIntArrayRef, const Tensor&, const Tensor&,
                   const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, std::array<bool, 3>) {
                  return std::tuple(at::empty_like(x), at::empty_like(weight.value_or(gradient)),
                                    at::empty_like(bias.value_or(gradient)));
                });
  library->impl("embedding_dense_backward",
                [](const Tensor& gradient, const Tensor&, c10::SymInt rows, c10::SymInt, bool) {
                  return at::empty({rows.expect_int(), gradient.size(-1)}, gradient.options());
                });
  return library;
}

/// Puts every parameter and buffer on `meta`. (Module::to refuses this: set_data takes the two for incompatible.)
inline void to_meta(torch::nn::Module& module) {
  static const auto operators = make_meta_operators();
  const auto move = [](const at::Tensor& tensor) {
    const at::Tensor meta = torch::empty_like(tensor, tensor.options().device(at::kMeta));
    tensor.unsafeGetTensorImpl()->shallow_copy_from(meta.getIntrusivePtr());
  };
  for (const at::Tensor& parameter : module.parameters()) move(parameter);
  for (const at::Tensor& buffer : module.buffers()) move(buffer);
}

}  // namespace heed::test_support
