#include "heed_torch/nn/step_linear.h"

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include "heed_torch/nn/products/product.h"
#include "heed_torch/nn/products/shared_by_steps.h"

namespace heed::nn {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The pairs (x_t, dy_t) that the backward pass collects.
struct StepLinear::Tape {
  Tensor operand;                 // the weight as matrix multiplications read it, computed once for all steps
  std::vector<Tensor> inputs;     // [rows of a step, in]
  std::vector<Tensor> gradients;  // [rows of a step, out]

  bool has_bias = false;

  std::pair<Tensor, Tensor> take() {
    if (inputs.empty()) return {};
    const Tensor x = at::cat(inputs), dy = at::cat(gradients);
    inputs.clear();
    gradients.clear();
    return {product(dy.t(), x.t()), has_bias ? dy.sum(0) : Tensor()};
  }

  struct Product : torch::autograd::Function<Product> {
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                          const std::optional<Tensor>& bias, const c10::IValue& tape) {
      const Tensor rows = as_operand(x.to(weight.scalar_type()).reshape({-1, weight.size(1)}));
      context->save_for_backward({rows});
      context->saved_data["tape"] = tape;
      context->saved_data["type"] = static_cast<int64_t>(x.scalar_type());
      auto shape = x.sizes().vec();
      shape.back() = weight.size(0);
      return product(rows, of(context)->operand, bias.value_or(Tensor())).view(shape);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
      const auto tape = of(context);
      const Tensor dy = gradients[0].reshape({-1, tape->operand.size(0)});
      if (context->needs_input_grad(1)) {
        tape->inputs.push_back(context->get_saved_variables()[0]);
        tape->gradients.push_back(dy);
      }
      if (!context->needs_input_grad(0)) return {{}, {}, {}, {}};
      const auto type = static_cast<at::ScalarType>(context->saved_data.at("type").toInt());
      auto shape = gradients[0].sizes().vec();
      shape.back() = tape->operand.size(1);
      return {product(dy, tape->operand.t()).view(shape).to(type), {}, {}, {}};
    }
  };

  static std::shared_ptr<Tape> of(AutogradContext* context) { return held_in<Tape>(*context, "tape"); }
};

StepLinear::StepLinear(const Tensor& weight, const Tensor& bias) : weight_(weight), bias_(bias) {
  const auto device = weight.device().type();
  if (at::autocast::is_autocast_available(device) && at::autocast::is_autocast_enabled(device)) {
    weight_ = weight_.to(at::autocast::get_autocast_dtype(device));
    if (bias_.defined()) bias_ = bias_.to(weight_.scalar_type());
  }
  if (!at::GradMode::is_enabled() || !weight_.requires_grad()) return;
  tape_ = std::make_shared<Tape>();
  tape_->operand = as_operand(weight_).detach();
  tape_->has_bias = bias_.defined();
  std::tie(weight_, bias_) = shared_by_steps(weight_, bias_, tape_);
}

Tensor StepLinear::operator()(const Tensor& x) const {
  if (!tape_) return affine(x.to(weight_.scalar_type()), weight_, bias_);
  return Tape::Product::apply(x, weight_, bias_.defined() ? std::optional(bias_) : std::nullopt, held(tape_));
}

}  // namespace heed::nn
