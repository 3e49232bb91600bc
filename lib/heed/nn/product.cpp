#include "heed/nn/product.h"

#include <optional>

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed/nn/gemm.h"
#include "heed/nn/rounding_kernel.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

thread_local bool rounded = false;

bool is_float_on_cpu(const Tensor& x) { return x.is_cpu() && x.scalar_type() == at::kFloat; }

// Whether rows of x are rounded for products, or are already.
bool is_rounded(const Tensor& x) { return rounded && x.is_cpu() && x.scalar_type() == at::kBFloat16; }
bool rounds(const Tensor& x) { return rounded && is_float_on_cpu(x); }
bool is_operand(const Tensor& x) { return is_float_on_cpu(x) || is_rounded(x); }

// Whether oneDNN multiplies them, and gives float32.
bool suits_gemm(const Tensor& a, const Tensor& b) {
  if (!is_operand(a) || !is_operand(b) || a.numel() == 0 || b.numel() == 0) return false;
  return rounded || has_gemm<float>();
}

// Whether each row lies in memory without gaps.
bool lies_in_rows(const Tensor& x) {
  return (x.stride(1) == 1 || x.size(1) == 1) && (x.stride(0) >= x.size(1) || x.size(0) == 1);
}

// Rounds a matrix that lies in rows; the result's have no gaps.
Tensor rounded_rows(const Tensor& x) {
  Tensor result = at::empty(x.sizes(), x.options().dtype(at::kBFloat16));
  const int64_t distance = x.stride(0), width = x.size(1);
  const float* from = x.const_data_ptr<float>();
  auto* to = result.mutable_data_ptr<at::BFloat16>();
  if (distance == width || x.size(0) == 1) {
    round_to_bfloat16(from, x.numel(), to);
  } else {
    for (int64_t i = 0; i < x.size(0); ++i) round_to_bfloat16(from + i * distance, width, to + i * width);
  }
  return result;
}

// x: a matrix that lies in rows, or its transpose does.
template <class T>
GemmOperand<T> operand(const Tensor& x) {
  const bool transposed = !lies_in_rows(x);
  const Tensor lines = transposed ? x.t() : x;
  const int64_t distance = lines.size(0) == 1 ? lines.size(1) : lines.stride(0);
  return {.numbers = lines.const_data_ptr<T>(), .distance = distance, .transposed = transposed};
}

// result = keep * result + a b^T
void multiply(const Tensor& result, const Tensor& a, const Tensor& b, float keep) {
  const auto in_lines = [](const Tensor& x) { return lies_in_rows(x) || lies_in_rows(x.t()) ? x : x.contiguous(); };
  const Tensor left = in_lines(as_operand(a)), right = in_lines(as_operand(b)).t();
  const auto run = [&]<class T>(T*) {
    gemm(a.size(0), b.size(0), a.size(1), operand<T>(left), operand<T>(right), keep, result.mutable_data_ptr<float>(),
         at::get_num_threads());
  };
  if (rounded) {
    run(static_cast<at::BFloat16*>(nullptr));
  } else {
    run(static_cast<float*>(nullptr));
  }
}

// Without inner numbers or rows to multiply: zeros, or the bias. One operand may be rounded and the other not.
Tensor product_of_nothing(const Tensor& a, const Tensor& b, const Tensor& bias) {
  const Tensor zeros = at::zeros({a.size(0), b.size(0)}, a.options().dtype(at::kFloat));
  return bias.defined() ? zeros + bias : zeros;
}

void check_result(const Tensor& result, const Tensor& a, const Tensor& b) {
  TORCH_CHECK(result.is_contiguous() && result.dim() == 2 && result.size(0) == a.size(0) && result.size(1) == b.size(0),
              "`result` must be [", a.size(0), ", ", b.size(0), "], found ", result.sizes());
}

struct Affine : torch::autograd::Function<Affine> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias) {
    const Tensor rows = as_operand(x.reshape({-1, x.size(-1)})), weights = as_operand(weight);
    context->save_for_backward({rows, weights});
    context->saved_data["has_bias"] = bias.has_value();
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return product(rows, weights, bias.value_or(Tensor())).view(shape);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "affine has no second derivative");
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &weight = saved[1];
    const Tensor of_rows = gradients[0].reshape({-1, weight.size(0)}), dy = as_operand(of_rows);
    Tensor dx, dw, db;
    if (context->needs_input_grad(0)) {
      auto shape = gradients[0].sizes().vec();
      shape.back() = weight.size(1);
      dx = product(dy, weight.t()).view(shape);
    }
    if (context->needs_input_grad(1)) dw = product(dy.t(), rows.t());
    if (context->saved_data.at("has_bias").toBool() && context->needs_input_grad(2)) db = of_rows.sum(0);
    return {dx, dw, db};
  }
};

bool casts(const Tensor& x) {
  const at::DeviceType device = x.device().type();
  return at::autocast::is_autocast_available(device) && at::autocast::is_autocast_enabled(device);
}

}  // namespace

bool has_rounded_products() { return has_gemm<at::BFloat16>(); }

RoundedProducts::RoundedProducts(bool active) : outer_(rounded) {
  TORCH_CHECK(!active || has_rounded_products(), "this machine has no fast products of bfloat16 matrices");
  rounded = active;
}

RoundedProducts::~RoundedProducts() { rounded = outer_; }

bool rounds_products() { return rounded; }

Tensor as_operand(const Tensor& x) {
  if (!rounds(x) || x.dim() != 2 || x.numel() == 0) return x;
  if (lies_in_rows(x)) return rounded_rows(x);
  return lies_in_rows(x.t()) ? rounded_rows(x.t()).t() : rounded_rows(x.contiguous());
}

Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias) {
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(1), "the product of ", a.sizes(),
              " and the transpose of ", b.sizes(), " is not defined");
  TORCH_CHECK(!at::GradMode::is_enabled() || !(a.requires_grad() || b.requires_grad()), "product has no gradients");
  if (rounded && (a.numel() == 0 || b.numel() == 0)) return product_of_nothing(a, b, bias);
  if (!suits_gemm(a, b)) return bias.defined() ? at::addmm(bias, a, b.t()) : at::mm(a, b.t());
  Tensor result = at::empty({a.size(0), b.size(0)}, a.options().dtype(at::kFloat));
  if (bias.defined()) result.copy_(bias);
  multiply(result, a, b, bias.defined() ? 1.f : 0.f);
  return result;
}

void assign_product(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_result(result, a, b);
  if (suits_gemm(a, b) && result.scalar_type() == at::kFloat) return multiply(result, a, b, 0);
  result.copy_(at::mm(a, b.t()));
}

void add_product(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_result(result, a, b);
  if (suits_gemm(a, b) && result.scalar_type() == at::kFloat) return multiply(result, a, b, 1);
  result.add_(at::mm(a, b.t()));
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!x.is_cpu() || x.scalar_type() != at::kFloat || casts(x)) return at::linear(x, weight, bias);
  return Affine::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace heed::nn
