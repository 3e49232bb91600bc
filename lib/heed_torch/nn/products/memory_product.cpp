#include "heed_torch/nn/products/memory_product.h"

#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include "heed_torch/nn/products/shared_by_steps.h"

namespace heed::nn {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The pairs (x_t, dy_t) that the backward pass collects.
struct MemoryProduct::Tape {
  std::vector<Tensor> inputs;     // [S, rows of a step, inner]
  std::vector<Tensor> gradients;  // [S, rows of a step, d]

  std::pair<Tensor, Tensor> take() {
    if (inputs.empty()) return {};
    const Tensor x = at::cat(inputs, 1), dy = at::cat(gradients, 1);
    inputs.clear();
    gradients.clear();
    return {at::bmm(x.transpose(1, 2), dy), {}};
  }

  struct Step : torch::autograd::Function<Step> {
    static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& memory, const c10::IValue& tape) {
      context->save_for_backward({x, memory});
      context->saved_data["tape"] = tape;
      return at::bmm(x, memory);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
      TORCH_CHECK(!at::GradMode::is_enabled(), "products with a memory have no second derivative");
      const auto saved = context->get_saved_variables();
      const Tensor &x = saved[0], &memory = saved[1], &dy = gradients[0];
      if (context->needs_input_grad(1)) {
        const auto tape = held_in<Tape>(*context, "tape");
        tape->inputs.push_back(x);
        tape->gradients.push_back(dy);
      }
      if (!context->needs_input_grad(0)) return {{}, {}, {}};
      return {at::bmm(dy, memory.transpose(1, 2)), {}, {}};
    }
  };
};

MemoryProduct::MemoryProduct(const Tensor& memory) : memory_(memory) {
  TORCH_CHECK(memory.dim() == 3, "`memory` must be [S, inner, d], found ", memory.sizes());
  const auto device = memory.device().type();
  if (at::autocast::is_autocast_available(device) && at::autocast::is_autocast_enabled(device)) {
    memory_ = memory_.to(at::autocast::get_autocast_dtype(device));
  }
  if (!at::GradMode::is_enabled() || !memory_.requires_grad()) return;
  tape_ = std::make_shared<Tape>();
  memory_ = shared_by_steps(memory_, Tensor(), tape_).first;
}

Tensor MemoryProduct::operator()(const Tensor& x) const {
  const Tensor of_type = x.to(memory_.scalar_type());
  return tape_ ? Tape::Step::apply(of_type, memory_, held(tape_)) : at::bmm(of_type, memory_);
}

}  // namespace heed::nn
