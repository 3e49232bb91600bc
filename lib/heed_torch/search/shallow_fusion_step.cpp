#include "heed_torch/search/shallow_fusion_step.h"

#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

namespace heed::search {
namespace {

std::vector<std::unique_ptr<StepModel>> both(std::unique_ptr<StepModel> first, std::unique_ptr<StepModel> second) {
  std::vector<std::unique_ptr<StepModel>> models;
  models.push_back(std::move(first));
  models.push_back(std::move(second));
  return models;
}

}  // namespace

ShallowFusionStep::ShallowFusionStep(std::unique_ptr<StepModel> translation, std::unique_ptr<StepModel> language,
                                     double weight)
    : CombinedStep(both(std::move(translation), std::move(language))), weight_(weight) {}

void ShallowFusionStep::start(const StepSource& source, int64_t beam, bool attention) {
  translation().start(source, beam, attention);
  language().start(source, beam, /*attention=*/false);
}

StepScores ShallowFusionStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  StepScores scores = translation().step(tokens);
  const StepScores heard = language().step(tokens);
  scores.logits = scores.logits - scores.logsumexp + weight_ * (heard.logits - heard.logsumexp);
  scores.logsumexp = at::zeros_like(scores.logsumexp);
  return scores;
}

}  // namespace heed::search
