#include "heed_torch/search/ensemble_step.h"

#include <cmath>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/logaddexp.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"

namespace heed::search {

EnsembleStep::EnsembleStep(std::vector<std::unique_ptr<StepModel>> members, std::vector<double> weights)
    : CombinedStep(std::move(members)) {
  if (weights.empty()) weights.assign(this->members().size(), 1);
  check(weights.size() == this->members().size(), "an ensemble needs a weight for each member");
  double sum = 0;
  for (const double weight : weights) {
    check(weight > 0, "weights of an ensemble are above 0");
    log_weights_.push_back(std::log(weight));
    sum += weight;
  }
  log_of_sum_ = std::log(sum);
}

StepScores EnsembleStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  StepScores mean;
  double with_attention = 0;
  for (size_t m = 0; m < members().size(); ++m) {
    const StepScores scores = members()[m]->step(tokens);
    Tensor log_probabilities = scores.logits - scores.logsumexp;
    if (log_weights_[m] != 0) log_probabilities.add_(log_weights_[m]);
    mean.logits = mean.logits.defined() ? at::logaddexp(mean.logits, log_probabilities) : log_probabilities;
    mean.logsumexp = scores.logsumexp;
    const bool same_places = !mean.attention.defined() || mean.attention.sizes() == scores.attention.sizes();
    if (!scores.attention.defined() || !same_places) continue;
    mean.attention = mean.attention.defined() ? mean.attention + scores.attention : scores.attention;
    ++with_attention;
  }
  mean.logits.sub_(log_of_sum_);
  mean.logsumexp.zero_();
  if (mean.attention.defined()) mean.attention = mean.attention / with_attention;
  return mean;
}

}  // namespace heed::search
