#include "heed_torch/nn/norm.h"

#include <algorithm>
#include <optional>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed/kernels/norm_kernel.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kBlock = 256;  // rows whose gradients of weight and bias are summed first

const uint16_t* bits(const Tensor& x) { return static_cast<const uint16_t*>(x.const_data_ptr()); }
uint16_t* writable_bits(const Tensor& x) { return static_cast<uint16_t*>(x.mutable_data_ptr()); }

// x: bfloat16 [rows, d_model]. statistics: float32 [2, rows].
kernels::RoundedNorm kernel_of(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon,
                               const Tensor& statistics) {
  return {.x = bits(x),
          .width = weight.size(0),
          .weight = weight.const_data_ptr<float>(),
          .bias = bias.defined() ? bias.const_data_ptr<float>() : nullptr,
          .epsilon = epsilon,
          .mean = statistics.mutable_data_ptr<float>(),
          .factor = statistics.mutable_data_ptr<float>() + statistics.size(1)};
}

void check_width(const Tensor& x, int64_t d_model) {
  TORCH_CHECK(x.dim() > 0 && x.size(-1) == d_model, "`x` must be [..., ", d_model, "], not ", x.sizes());
}

// x and its norm.
struct RoundedNorm : torch::autograd::Function<RoundedNorm> {
  static variable_list forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                               const std::optional<Tensor>& bias, double epsilon) {
    const Tensor numbers = x.contiguous();
    const int64_t rows = x.numel() / weight.size(0);
    const Tensor statistics = at::empty({2, rows}, weight.options()), added = bias.value_or(Tensor());
    const Tensor y = at::empty(x.sizes(), numbers.options());
    const kernels::RoundedNorm norm = kernel_of(numbers, weight, added, epsilon, statistics);
    at::parallel_for(0, rows, kBlock,
                     [&](int64_t begin, int64_t end) { kernels::normalize(norm, writable_bits(y), begin, end); });
    context->set_materialize_grads(false);
    context->save_for_backward({numbers, weight, added, statistics});
    context->saved_data["epsilon"] = epsilon;
    return {x, y};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "the norm of bfloat16 numbers has no second derivative");
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1], &bias = saved[2];
    if (!gradients[1].defined()) return {gradients[0], {}, {}, {}};
    const Tensor of_y = gradients[1].contiguous();
    const Tensor of_residual = gradients[0].defined() ? gradients[0].contiguous() : gradients[0];
    const int64_t rows = saved[3].size(1), blocks = (rows + kBlock - 1) / kBlock, width = weight.size(0);
    const Tensor of_x = at::empty(x.sizes(), x.options());
    const Tensor of_weight = at::empty({blocks, width}, weight.options());
    const Tensor of_bias = bias.defined() ? at::empty({blocks, width}, weight.options()) : Tensor();
    const auto norm = kernel_of(x, weight, bias, context->saved_data.at("epsilon").toDouble(), saved[3]);
    at::parallel_for(0, blocks, 1, [&](int64_t first, int64_t last) {
      for (int64_t block = first; block < last; ++block) {
        const kernels::RoundedNormGradients of_block{
            .y = bits(of_y),
            .residual = of_residual.defined() ? bits(of_residual) : nullptr,
            .x = writable_bits(of_x),
            .weight = of_weight.mutable_data_ptr<float>() + block * width,
            .bias = of_bias.defined() ? of_bias.mutable_data_ptr<float>() + block * width : nullptr};
        kernels::normalize_backward(norm, of_block, block * kBlock, std::min((block + 1) * kBlock, rows));
      }
    });
    return {of_x, of_weight.sum(0), of_bias.defined() ? of_bias.sum(0) : of_bias, {}};
  }
};

}  // namespace

NormImpl::NormImpl(const NormOptions& options) : options_(options) {
  TORCH_CHECK(options.d_model > 0, "`d_model` must be positive, not ", options.d_model);
  TORCH_CHECK(options.epsilon > 0, "`epsilon` must be positive, not ", options.epsilon);
  if (options.kind == NormKind::None) return;
  weight = register_parameter("weight", at::ones({options.d_model}));
  if (options.kind == NormKind::Layer) bias = register_parameter("bias", at::zeros({options.d_model}));
}

bool NormImpl::has_kernel(const Tensor& x) const {
  return x.is_cpu() && x.scalar_type() == at::kBFloat16 && options_.kind != NormKind::None &&
         weight.scalar_type() == at::kFloat;
}

Tensor NormImpl::forward(const Tensor& x) {
  check_width(x, options_.d_model);
  if (has_kernel(x)) return with_residual(x).second;
  switch (options_.kind) {
    case NormKind::Layer:
      return at::layer_norm(x, {options_.d_model}, weight, bias, options_.epsilon);
    case NormKind::Rms:
      return at::rms_norm(x, {options_.d_model}, weight, options_.epsilon).to(x.scalar_type());
    case NormKind::None:
      break;
  }
  return x;
}

std::pair<Tensor, Tensor> NormImpl::with_residual(const Tensor& x) {
  if (!has_kernel(x)) return {x, forward(x)};
  check_width(x, options_.d_model);
  const variable_list both =
      RoundedNorm::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt, options_.epsilon);
  return {both[0], both[1]};
}

void NormImpl::initialize(Initializer& values) {
  if (weight.defined()) values.constant("weight", weight, 1);
  if (bias.defined()) values.constant("bias", bias, 0);
}

}  // namespace heed::nn
