#include "heed_torch/nn/linear.h"

#include <iterator>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include "heed_torch/nn/products/product.h"

namespace heed::nn {

LinearImpl::LinearImpl(const LinearOptions& options) : options_(options) {
  TORCH_CHECK(options.in > 0 && options.out > 0, "a linear map needs positive widths, not `in` ", options.in,
              " and `out` ", options.out);
  TORCH_CHECK(options.stacked > 0 && options.out % options.stacked == 0, "`out` ", options.out,
              " must be a multiple of `stacked` ", options.stacked);
  TORCH_CHECK(options.initial_bias.empty() || std::ssize(options.initial_bias) == options.stacked,
              "`initial_bias` must have one value for each of ", options.stacked, " maps");
  weight = register_parameter("weight", at::zeros({options.out, options.in}));
  if (options.bias) bias = register_parameter("bias", at::zeros({options.out}));
}

Tensor LinearImpl::forward(const Tensor& x) {
  TORCH_CHECK(x.dim() > 0 && x.size(-1) == options_.in, "`x` must be [..., ", options_.in, "], not ", x.sizes());
  if (lora && is_training()) return affine(x, lora->base, bias) + lora(x);
  return affine(x, weight, bias);
}

int64_t LinearImpl::adapt(const LoraOptions& options, const std::vector<int64_t>& maps) {
  TORCH_CHECK(!lora, "a map is adapted once");
  if (maps.empty()) return 0;
  const AdaptedMap map{
      .in = options_.in, .width = options_.out / options_.stacked, .stacked = options_.stacked, .adapted = maps};
  lora = register_module("lora", Lora(options, map));
  lora->to(weight.device());
  weight.set_requires_grad(false);
  return std::ssize(maps);
}

void LinearImpl::remove_adapter() {
  unregister_module("lora");
  lora = nullptr;
}

void LinearImpl::train(bool on) {
  Module::train(on);
  if (lora && !on) lora->merge_into(weight);
}

void LinearImpl::initialize(Initializer& values) {
  options_.ends_branch ? values.last_weight("weight", weight) : values.weight("weight", weight, options_.stacked);
  if (!bias.defined()) return;
  values.constant("bias", bias, 0);
  if (options_.initial_bias.empty()) return;
  const at::NoGradGuard no_grad;
  const auto parts = bias.chunk(options_.stacked);
  for (size_t i = 0; i < parts.size(); ++i) parts[i].fill_(options_.initial_bias.at(i));
}

}  // namespace heed::nn
