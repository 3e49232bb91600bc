// Lets autograd hold an object that the steps of a pass share, for their backward passes.
#pragma once

#include <memory>
#include <utility>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

namespace heed::nn {

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

}  // namespace heed::nn
