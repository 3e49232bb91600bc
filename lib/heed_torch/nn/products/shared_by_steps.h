// A tensor that all steps of a pass use, such as a weight, with one gradient for all of them: the backward pass of each
// step adds to a tape what the gradient is made of; after the last one autograd takes the gradient from the tape.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed_torch/nn/products/held_by_autograd.h"

namespace heed::nn {

/// Tape: has `std::pair<Tensor, Tensor> take()`, the gradients of first and second (undefined: none), and is empty
/// then.
template <class Tape>
struct SharedBySteps : torch::autograd::Function<SharedBySteps<Tape>> {
  using Context = torch::autograd::AutogradContext;
  using Tensors = torch::autograd::variable_list;

  static Tensors forward(Context* context, const at::Tensor& first, const std::optional<at::Tensor>& second,
                         const c10::IValue& tape) {
    context->set_materialize_grads(false);
    context->saved_data["tape"] = tape;
    return second ? Tensors{first, *second} : Tensors{first};
  }
  static Tensors backward(Context* context, const Tensors&) {
    const auto [first, second] = held_in<Tape>(*context, "tape")->take();
    return {first, second, {}};
  }
};

/// Both, unchanged, for the steps to use. second: may be undefined.
template <class Tape>
std::pair<at::Tensor, at::Tensor> shared_by_steps(const at::Tensor& first, const at::Tensor& second,
                                                  const std::shared_ptr<Tape>& tape) {
  const auto present = second.defined() ? std::optional(second) : std::nullopt;
  const auto shared = SharedBySteps<Tape>::apply(first, present, held(tape));
  return {shared[0], second.defined() ? shared[1] : at::Tensor()};
}

}  // namespace heed::nn
