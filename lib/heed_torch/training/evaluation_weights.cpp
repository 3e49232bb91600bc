#include "heed_torch/training/evaluation_weights.h"

#include <utility>

#include <ATen/core/grad_mode.h>

namespace heed::training {

EvaluationWeights::EvaluationWeights(Optimizer& optimizer, NamedParameters parameters)
    : parameters_(std::move(parameters)) {
  if (!optimizer.has_average()) return;
  for (const auto& [name, parameter] : parameters_) trained_.emplace(name, parameter.detach().clone());
  optimizer.copy_average_to_parameters();
}

EvaluationWeights::~EvaluationWeights() {
  if (trained_.empty()) return;
  const at::NoGradGuard no_grad;
  for (const auto& [name, parameter] : parameters_) parameter.copy_(trained_.at(name));
}

}  // namespace heed::training
