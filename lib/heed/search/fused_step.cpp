#include "heed/search/fused_step.h"

#include <algorithm>
#include <utility>

#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"

namespace heed::search {

FusedStep::FusedStep(std::unique_ptr<StepModel> translation, std::unique_ptr<StepModel> language, double weight)
    : translation_(std::move(translation)), language_(std::move(language)), weight_(weight) {
  check(translation_->vocab_size() == language_->vocab_size(), "fused models need one vocabulary");
}

int64_t FusedStep::max_length() const { return std::min(translation_->max_length(), language_->max_length()); }

void FusedStep::start(const Tensor& source, int64_t beam, bool attention) {
  translation_->start(source, beam, attention);
  language_->start(source, beam, /*attention=*/false);
}

StepScores FusedStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  StepScores scores = translation_->step(tokens);
  const StepScores language = language_->step(tokens);
  scores.logits = scores.logits - scores.logsumexp + weight_ * (language.logits - language.logsumexp);
  scores.logsumexp = at::zeros_like(scores.logsumexp);
  return scores;
}

void FusedStep::select(const Tensor& sentences, const Tensor& parents) {
  translation_->select(sentences, parents);
  language_->select(sentences, parents);
}

void FusedStep::join(const Tensor& source) {
  translation_->join(source);
  language_->join(source);
}

}  // namespace heed::search
