#include "heed_torch/training/optimization/unsharded_optimizer.h"

#include <algorithm>
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace heed::training {

UnshardedOptimizer::UnshardedOptimizer(const NamedParameters& parameters) {
  TORCH_CHECK(!parameters.empty(), "an optimizer needs parameters");
  for (const auto& [name, parameter] : parameters) {
    names_.push_back(name);
    parameters_.push_back(parameter);
  }
  step_ = add_state("step", at::zeros({}, parameters_[0].options().dtype(at::kFloat).requires_grad(false)));
}

Tensor UnshardedOptimizer::add_state(const std::string& name, const Tensor& initial) { return state_[name] = initial; }

std::vector<Tensor> UnshardedOptimizer::add_slot(const std::string& slot, double value) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    tensors.push_back(add_state(slot + "/" + names_[i], at::full_like(parameters_[i].detach(), value)));
  }
  return tensors;
}

void UnshardedOptimizer::begin_average() {
  for (const Tensor& parameter : parameters_) average_.push_back(parameter.detach().clone());
}

void UnshardedOptimizer::keep_moving_average(double decay) {
  TORCH_CHECK(average_.empty(), "the optimizer keeps an average of its own");
  ema_decay_ = decay;
  begin_average();
}

void UnshardedOptimizer::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  step_.add_(1);
  ++count_;
  update(learning_rate);
  if (ema_decay_ == 0) return;
  const auto steps = static_cast<double>(count_);
  const double decay = std::min(ema_decay_, (1 + steps) / (10 + steps));
  step_in_parallel(parameters_, [&](const ParameterPieces& pieces) {
    at::_foreach_lerp_(pieces.of(average_), pieces.of(parameters_), 1 - decay);
  });
}

void UnshardedOptimizer::copy_average_to_parameters() {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < average_.size(); ++i) parameters_[i].copy_(average_[i]);
}

std::vector<Tensor> UnshardedOptimizer::steps(const ParameterPieces& pieces) const {
  return std::vector<Tensor>(pieces.size(), step_);
}

std::vector<Tensor> UnshardedOptimizer::gradients() const {
  std::vector<Tensor> gradients;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    gradients.push_back(parameters_[i].grad());
    TORCH_CHECK(gradients.back().defined(), "`", names_[i], "` has no gradient");
  }
  return gradients;
}

void UnshardedOptimizer::load(const std::map<std::string, Tensor>& saved, const std::string& path) {
  const at::NoGradGuard no_grad;
  for (const auto& [name, tensor] : state_) tensor.copy_(saved_tensor(saved, name, tensor.sizes(), path));
  count_ = std::llround(step_.item<float>());
  for (size_t i = 0; i < average_.size(); ++i) average_[i].copy_(parameters_[i]);
}

}  // namespace heed::training
