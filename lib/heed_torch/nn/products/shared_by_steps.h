// A tensor that all steps of a pass share, such as a weight. Its gradient is computed once for all steps: the backward
// pass of each step records its terms on a tape, and after the last step autograd takes the gradient from the tape.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

namespace heed::nn {

/// Lets autograd hold an object that the steps of a pass share, for their backward passes.
template <class T>
struct HeldByAutograd : torch::CustomClassHolder {
  explicit HeldByAutograd(std::shared_ptr<T> object) : held(std::move(object)) {}
  std::shared_ptr<T> held;
};

/// The object as an argument of a torch::autograd::Function, which stores it in its context's saved_data.
template <class T>
c10::IValue held(const std::shared_ptr<T>& object) {
  return c10::IValue::make_capsule(c10::make_intrusive<HeldByAutograd<T>>(object));
}

/// The object given to held(), from saved_data[name].
template <class T>
std::shared_ptr<T> held_in(const torch::autograd::AutogradContext& context, const char* name) {
  return c10::static_intrusive_pointer_cast<HeldByAutograd<T>>(context.saved_data.at(name).toCapsule())->held;
}

/// Tape must have `std::pair<Tensor, Tensor> take()`. It returns the gradients of first and second (undefined: no
/// gradient) and empties the tape.
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

/// Returns both tensors unchanged, for use in the steps. second: may be undefined.
template <class Tape>
std::pair<at::Tensor, at::Tensor> shared_by_steps(const at::Tensor& first, const at::Tensor& second,
                                                  const std::shared_ptr<Tape>& tape) {
  const auto present = second.defined() ? std::optional(second) : std::nullopt;
  const auto shared = SharedBySteps<Tape>::apply(first, present, held(tape));
  return {shared[0], second.defined() ? shared[1] : at::Tensor()};
}

}  // namespace heed::nn
