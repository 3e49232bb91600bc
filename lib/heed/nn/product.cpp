#include "heed/nn/product.h"

#include <optional>

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed/nn/sgemm.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

bool suits_sgemm(const Tensor& x) { return x.is_cpu() && x.scalar_type() == at::kFloat && x.numel() > 0; }
bool suits_sgemm(const Tensor& a, const Tensor& b) { return suits_sgemm(a) && suits_sgemm(b) && has_sgemm(); }

// Whether each row lies in memory without gaps.
bool lies_in_rows(const Tensor& x) {
  return (x.stride(1) == 1 || x.size(1) == 1) && (x.stride(0) >= x.size(1) || x.size(0) == 1);
}

// x: a matrix that lies in rows, or its transpose does.
SgemmOperand operand(const Tensor& x) {
  const bool transposed = !lies_in_rows(x);
  const Tensor lines = transposed ? x.t() : x;
  const int64_t distance = lines.size(0) == 1 ? lines.size(1) : lines.stride(0);
  return {.numbers = x.const_data_ptr<float>(), .distance = distance, .transposed = transposed};
}

// result = keep * result + a b^T
void multiply(const Tensor& result, const Tensor& a, const Tensor& b, float keep) {
  const auto in_lines = [](const Tensor& x) { return lies_in_rows(x) || lies_in_rows(x.t()) ? x : x.contiguous(); };
  const Tensor left = in_lines(a), right = in_lines(b).t();
  sgemm(a.size(0), b.size(0), a.size(1), operand(left), operand(right), keep, result.mutable_data_ptr<float>(),
        at::get_num_threads());
}

void check_result(const Tensor& result, const Tensor& a, const Tensor& b) {
  TORCH_CHECK(result.is_contiguous() && result.dim() == 2 && result.size(0) == a.size(0) && result.size(1) == b.size(0),
              "`result` must be [", a.size(0), ", ", b.size(0), "], found ", result.sizes());
}

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
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(1), "the product of ", a.sizes(),
              " and the transpose of ", b.sizes(), " is not defined");
  TORCH_CHECK(!at::GradMode::is_enabled() || !(a.requires_grad() || b.requires_grad()), "product has no gradients");
  if (!suits_sgemm(a, b)) return bias.defined() ? at::addmm(bias, a, b.t()) : at::mm(a, b.t());
  Tensor result = at::empty({a.size(0), b.size(0)}, a.options());
  if (bias.defined()) result.copy_(bias);
  multiply(result, a, b, bias.defined() ? 1.f : 0.f);
  return result;
}

void assign_product(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_result(result, a, b);
  if (suits_sgemm(a, b) && result.scalar_type() == at::kFloat) return multiply(result, a, b, 0);
  result.copy_(at::mm(a, b.t()));
}

void add_product(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_result(result, a, b);
  if (suits_sgemm(a, b) && result.scalar_type() == at::kFloat) return multiply(result, a, b, 1);
  result.add_(at::mm(a, b.t()));
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!x.is_cpu() || x.scalar_type() != at::kFloat || casts(x)) return at::linear(x, weight, bias);
  return Affine::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace heed::nn
