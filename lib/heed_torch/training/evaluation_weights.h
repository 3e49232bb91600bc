// The weights with which a model is evaluated. They differ from the weights that are trained if the optimizer keeps an
// average: an exponential moving average (train.ema-decay), or that of a schedule-free optimizer. Validation,
// checkpoints' models and the final model have the average.
#pragma once

#include <map>
#include <string>

#include "heed_torch/training/optimization/optimizer.h"

namespace heed::training {

/// A guard: meanwhile the parameters hold the optimizer's average, if it keeps one. Ranks that share the optimizer's
/// state must construct it at the same time.
class EvaluationWeights {
 public:
  /// parameters: those that the optimizer changes.
  EvaluationWeights(Optimizer& optimizer, NamedParameters parameters);
  ~EvaluationWeights();
  EvaluationWeights(const EvaluationWeights&) = delete;
  EvaluationWeights& operator=(const EvaluationWeights&) = delete;

  /// Copies of the weights that are trained; empty if the model is evaluated with these.
  const std::map<std::string, Tensor>& trained() const { return trained_; }

 private:
  NamedParameters parameters_;
  std::map<std::string, Tensor> trained_;
};

}  // namespace heed::training
