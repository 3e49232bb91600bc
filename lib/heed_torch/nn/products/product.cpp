#include "heed_torch/nn/products/product.h"

#include <optional>

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sum.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed/kernels/rounding_kernel.h"
#include "heed/kernels/vector_code.h"
#include "heed_torch/nn/products/gemm.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

thread_local bool rounded = false;
thread_local RoundedWeights* rounded_weights = nullptr;

bool is_float_on_cpu(const Tensor& x) { return x.is_cpu() && x.scalar_type() == at::kFloat; }

// Whether the scope rounds x, or x is rounded already.
bool is_rounded(const Tensor& x) { return rounded && x.is_cpu() && x.scalar_type() == at::kBFloat16; }
bool rounds(const Tensor& x) { return rounded && is_float_on_cpu(x); }
bool is_operand(const Tensor& x) { return is_float_on_cpu(x) || is_rounded(x); }

// Whether each row is contiguous.
bool lies_in_rows(const Tensor& x) {
  return (x.stride(1) == 1 || x.size(1) == 1) && (x.stride(0) >= x.size(1) || x.size(0) == 1);
}

// Rounds a matrix with contiguous rows; the result is contiguous.
Tensor rounded_rows(const Tensor& x) {
  Tensor result = at::empty(x.sizes(), x.options().dtype(at::kBFloat16));
  const int64_t distance = x.stride(0), width = x.size(1);
  const float* from = x.const_data_ptr<float>();
  auto* to = static_cast<uint16_t*>(result.mutable_data_ptr());
  if (distance == width || x.size(0) == 1) {
    kernels::round_to_bfloat16(from, x.numel(), to);
  } else {
    for (int64_t i = 0; i < x.size(0); ++i) kernels::round_to_bfloat16(from + i * distance, width, to + i * width);
  }
  return result;
}

// x: a matrix with contiguous rows or with contiguous columns.
template <class T>
GemmOperand<T> operand(const Tensor& x) {
  const bool transposed = !lies_in_rows(x);
  const Tensor lines = transposed ? x.t() : x;
  const int64_t distance = lines.size(0) == 1 ? lines.size(1) : lines.stride(0);
  return {.numbers = lines.const_data_ptr<T>(), .distance = distance, .transposed = transposed};
}

// The factor that is multiplied in this scope. If the CPU cannot multiply bfloat16 fast, it is the rounded numbers as
// float32.
Tensor factor(const Tensor& x) {
  const Tensor operand = as_operand(x);
  return is_rounded(operand) && !has_fast_rounded_products() ? operand.to(at::kFloat) : operand;
}

// The type of the sums for such operands.
at::ScalarType sum_type(const Tensor& x) { return is_operand(x) ? at::kFloat : x.scalar_type(); }

template <class T>
void multiply_by_gemm(const Tensor& result, const Tensor& a, const Tensor& b, bool add) {
  const auto in_lines = [](const Tensor& x) { return lies_in_rows(x) || lies_in_rows(x.t()) ? x : x.contiguous(); };
  const Tensor left = in_lines(a), right = in_lines(b).t();
  gemm(a.size(0), b.size(0), a.size(1), operand<T>(left), operand<T>(right), add ? 1.f : 0.f,
       result.mutable_data_ptr<float>(), at::get_num_threads());
}

void multiply_by_libtorch(const Tensor& result, const Tensor& a, const Tensor& b, bool add) {
  if (result.scalar_type() == a.scalar_type()) {
    Tensor into = result;
    if (add)
      into.addmm_(a, b.t());
    else
      at::mm_out(into, a, b.t());
  } else if (add) {
    result.add_(at::mm(a, b.t()));
  } else {
    result.copy_(at::mm(a, b.t()));
  }
}

// Writes sums, plus bias in each row if it is defined, in bfloat16.
void round_into(const Tensor& result, const Tensor& sums, const Tensor& bias) {
  const int64_t width = sums.size(1);
  const float* from = sums.const_data_ptr<float>();
  auto* to = static_cast<uint16_t*>(result.mutable_data_ptr());
  const Tensor added = bias.defined() ? bias.contiguous() : bias;
  at::parallel_for(0, sums.size(0), /*grain_size=*/64, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * width;
    if (added.defined()) {
      kernels::round_with_bias(from + first, added.const_data_ptr<float>(), end - begin, width, to + first);
    } else {
      kernels::round_to_bfloat16(from + first, (end - begin) * width, to + first);
    }
  });
}

// result = a b^T, or result += a b^T
void multiply(const Tensor& result, const Tensor& a, const Tensor& b, bool add) {
  if (a.numel() == 0 || b.numel() == 0) {
    if (!add) result.zero_();
    return;
  }
  const Tensor left = factor(a), right = factor(b);
  const bool of_float = is_float_on_cpu(result) && is_float_on_cpu(left) && is_float_on_cpu(right);
  if (is_rounded(left) && is_rounded(right) && is_float_on_cpu(result)) {
    multiply_by_gemm<at::BFloat16>(result, left, right, add);
  } else if (of_float && has_gemm<float>()) {
    multiply_by_gemm<float>(result, left, right, add);
  } else {
    multiply_by_libtorch(result, left, right, add);
  }
}

// result = a b^T, plus bias if it is defined, in bfloat16.
void multiply_and_round(const Tensor& result, const Tensor& a, const Tensor& b, const Tensor& bias) {
  const Tensor left = as_operand(a), right = as_operand(b);
  if (kernels::has_amx() && left.numel() > 0 && right.numel() > 0) {
    Tensor into = result;
    if (bias.defined())
      at::addmm_out(into, bias.to(at::kBFloat16), left, right.t());
    else
      at::mm_out(into, left, right.t());
    return;
  }
  const Tensor sums = at::empty(result.sizes(), result.options().dtype(at::kFloat));
  multiply(sums, left, right, /*add=*/false);
  round_into(result, sums, bias);
}

// The sum of the rows, float32 for bfloat16 rows.
Tensor sum_of_rows(const Tensor& rows) {
  if (!is_rounded(rows)) return rows.sum(0);
  const Tensor numbers = rows.contiguous(), sums = at::empty({rows.size(1)}, rows.options().dtype(at::kFloat));
  kernels::sum_of_rows(static_cast<const uint16_t*>(numbers.const_data_ptr()), rows.size(0), rows.size(1),
                       sums.mutable_data_ptr<float>());
  return sums;
}

void check_operands(const Tensor& a, const Tensor& b) {
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(1), "the product of ", a.sizes(),
              " and the transpose of ", b.sizes(), " is not defined");
}

void check_result(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_operands(a, b);
  TORCH_CHECK(result.is_contiguous() && result.dim() == 2 && result.size(0) == a.size(0) && result.size(1) == b.size(0),
              "`result` must be [", a.size(0), ", ", b.size(0), "], found ", result.sizes());
}

struct Affine : torch::autograd::Function<Affine> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias) {
    const Tensor rows = as_operand(x.reshape({-1, x.size(-1)})), weights = as_operand(weight);
    context->save_for_backward({rows, weights});
    context->saved_data["has_bias"] = bias.has_value();
    context->saved_data["type"] = static_cast<int64_t>(x.scalar_type());
    auto shape = x.sizes().vec();
    shape.back() = weight.size(0);
    if (is_float_on_cpu(x)) return product(rows, weights, bias.value_or(Tensor())).view(shape);
    const Tensor result = at::empty(shape, x.options());
    multiply_and_round(result.view({-1, shape.back()}), rows, weights, bias.value_or(Tensor()));
    return result;
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
      const auto type = static_cast<at::ScalarType>(context->saved_data.at("type").toInt());
      dx = at::empty(shape, rows.options().dtype(type));
      assign_product(dx.view({-1, shape.back()}), dy, weight.t());
    }
    if (context->needs_input_grad(1)) dw = product(dy.t(), rows.t());
    if (context->saved_data.at("has_bias").toBool() && context->needs_input_grad(2)) db = sum_of_rows(of_rows);
    return {dx, dw, db};
  }
};

bool casts(const Tensor& x) {
  const at::DeviceType device = x.device().type();
  return at::autocast::is_autocast_available(device) && at::autocast::is_autocast_enabled(device);
}

}  // namespace

bool has_fast_rounded_products() { return has_gemm<at::BFloat16>(); }

Tensor RoundedWeights::of(const Tensor& weight) {
  Copy* copy = nullptr;
  {
    const std::lock_guard lock(mutex_);
    copy = &copies_[weight.const_data_ptr()];
  }
  std::call_once(copy->made, [&] { copy->numbers = rounded_rows(weight); });
  TORCH_CHECK(copy->numbers.sizes() == weight.sizes(), "two weights of a step share memory: ", copy->numbers.sizes(),
              " and ", weight.sizes());
  return copy->numbers;
}

RoundedProducts::RoundedProducts(bool active, RoundedWeights* weights)
    : outer_(rounded), outer_weights_(rounded_weights) {
  rounded = active;
  rounded_weights = weights;
}

RoundedProducts::~RoundedProducts() {
  rounded = outer_;
  rounded_weights = outer_weights_;
}

bool rounds_products() { return rounded; }

Tensor activations(const Tensor& x) { return rounds(x) ? x.to(at::kBFloat16) : x; }

Tensor as_operand(const Tensor& x) {
  if (!rounds(x) || x.dim() != 2 || x.numel() == 0) return x;
  // Parameters have the block that collects the step's gradient. Other tensors have none, and their memory is reused.
  const bool is_parameter = x.is_leaf() && x.requires_grad() && x.grad().defined() && x.is_contiguous();
  if (is_parameter && rounded_weights != nullptr) return rounded_weights->of(x);
  if (lies_in_rows(x)) return rounded_rows(x);
  return lies_in_rows(x.t()) ? rounded_rows(x.t()).t() : rounded_rows(x.contiguous());
}

Tensor product(const Tensor& a, const Tensor& b, const Tensor& bias) {
  check_operands(a, b);
  TORCH_CHECK(!at::GradMode::is_enabled() || !(a.requires_grad() || b.requires_grad()), "product has no gradients");
  if (!is_operand(a) && bias.defined()) return at::addmm(bias, a, b.t());
  Tensor result = at::empty({a.size(0), b.size(0)}, a.options().dtype(sum_type(a)));
  if (bias.defined()) result.copy_(bias);
  multiply(result, a, b, bias.defined());
  return result;
}

void assign_product(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_result(result, a, b);
  if (is_rounded(result)) return multiply_and_round(result, a, b, {});
  multiply(result, a, b, false);
}

void add_product(const Tensor& result, const Tensor& a, const Tensor& b) {
  check_result(result, a, b);
  multiply(result, a, b, true);
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (!is_operand(x) || casts(x)) return at::linear(x, weight, bias);
  return Affine::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace heed::nn
