#include "heed/nn/product.h"

#include <optional>
#include <string_view>

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// LibTorch's operator for a product by oneDNN with a function applied to its result; its name for no function is "none".
using OneDnnLinear = Tensor(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias,
                            std::string_view function, c10::List<std::optional<at::Scalar>> scalars,
                            std::optional<std::string_view> algorithm);

const std::optional<c10::TypedOperatorHandle<OneDnnLinear>>& onednn_linear() {
  static const auto found = []() -> std::optional<c10::TypedOperatorHandle<OneDnnLinear>> {
    if (!at::globalContext().hasMKLDNN()) return std::nullopt;
    const auto handle = c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
    if (!handle) return std::nullopt;
    return handle->typed<OneDnnLinear>();
  }();
  return found;
}

// Below this many multiplications oneDNN's way to its code takes longer than it saves.
constexpr int64_t kFewMultiplications = 1 << 20;

bool suits_onednn(const Tensor& a, const Tensor& b) {
  return a.is_cpu() && a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat && a.size(0) > 1 &&
         a.size(0) * a.size(1) * b.size(0) >= kFewMultiplications && onednn_linear().has_value();
}

bool is_dense(const Tensor& x) { return x.is_contiguous() || x.t().is_contiguous(); }
Tensor dense(const Tensor& x) { return is_dense(x) ? x : x.contiguous(); }

struct Affine : torch::autograd::Function<Affine> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias) {
    const Tensor rows = x.reshape({-1, x.size(-1)});
    context->save_for_backward({rows, weight});
    context->saved_data["has_bias"] = bias.has_value();
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return product(rows, weight, bias.value_or(Tensor())).view(shape);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "affine has no second derivative");
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &weight = saved[1];
    const Tensor dy = gradients[0].reshape({-1, weight.size(0)});
    Tensor dx, dw, db;
    if (context->needs_input_grad(0)) {
      auto shape = gradients[0].sizes().vec();
      shape.back() = weight.size(1);
      dx = product(dy, weight.t()).view(shape);
    }
    if (context->needs_input_grad(1)) dw = product(dy.t(), rows.t());
    if (context->saved_data.at("has_bias").toBool() && context->needs_input_grad(2)) db = dy.sum(0);
    return {dx, dw, db};
  }
};

bool casts(const Tensor& x) {
  const at::DeviceType device = x.device().type();
  return at::autocast::is_autocast_available(device) && at::autocast::is_autocast_enabled(device);
}

}  // namespace

Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias) {
  if (!suits_onednn(a, b)) return bias.defined() ? at::addmm(bias, a, b.t()) : at::mm(a, b.t());
  const std::optional<Tensor> added = bias.defined() ? std::optional(bias) : std::nullopt;
  return onednn_linear()->call(dense(a), dense(b), added, "none", c10::List<std::optional<at::Scalar>>(), "");
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!x.is_cpu() || x.scalar_type() != at::kFloat || casts(x)) return at::linear(x, weight, bias);
  return Affine::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace heed::nn
