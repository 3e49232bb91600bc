#include "heed/search/logits/ensemble_step.h"

#include <cmath>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/logaddexp.h>
#include <c10/core/InferenceMode.h>

namespace heed::search {

EnsembleStep::EnsembleStep(std::vector<std::unique_ptr<StepModel>> members) : CombinedStep(std::move(members)) {}

StepScores EnsembleStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  StepScores mean;
  double with_attention = 0;
  for (const auto& member : members()) {
    const StepScores scores = member->step(tokens);
    const Tensor log_probabilities = scores.logits - scores.logsumexp;
    mean.logits = mean.logits.defined() ? at::logaddexp(mean.logits, log_probabilities) : log_probabilities;
    mean.logsumexp = scores.logsumexp;
    const bool same_places = !mean.attention.defined() || mean.attention.sizes() == scores.attention.sizes();
    if (!scores.attention.defined() || !same_places) continue;
    mean.attention = mean.attention.defined() ? mean.attention + scores.attention : scores.attention;
    ++with_attention;
  }
  mean.logits.sub_(std::log(static_cast<double>(members().size())));
  mean.logsumexp.zero_();
  if (mean.attention.defined()) mean.attention = mean.attention / with_attention;
  return mean;
}

}  // namespace heed::search
