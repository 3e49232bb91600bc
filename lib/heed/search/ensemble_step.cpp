#include "heed/search/ensemble_step.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/ops/logaddexp.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"

namespace heed::search {

EnsembleStep::EnsembleStep(std::vector<std::unique_ptr<StepModel>> members) : members_(std::move(members)) {
  check(!members_.empty(), "an ensemble needs a member");
  for (const auto& member : members_) {
    check(member->vocab_size() == vocab_size(), "the members of an ensemble need one vocabulary");
  }
}

int64_t EnsembleStep::max_length() const {
  int64_t shortest = StepModel::max_length();
  for (const auto& member : members_) shortest = std::min(shortest, member->max_length());
  return shortest;
}

void EnsembleStep::start(const Tensor& source, int64_t beam, bool attention) {
  for (const auto& member : members_) member->start(source, beam, attention);
}

StepScores EnsembleStep::step(const Tensor& tokens) {
  const c10::InferenceMode guard;
  StepScores mean;
  double with_attention = 0;
  for (const auto& member : members_) {
    StepScores scores = member->step(tokens);
    scores.logits.sub_(scores.logsumexp);
    mean.logits = mean.logits.defined() ? at::logaddexp(mean.logits, scores.logits) : scores.logits;
    mean.logsumexp = scores.logsumexp;
    if (!scores.attention.defined()) continue;
    mean.attention = mean.attention.defined() ? mean.attention + scores.attention : scores.attention;
    ++with_attention;
  }
  mean.logits.sub_(std::log(static_cast<double>(members_.size())));
  mean.logsumexp.zero_();
  if (mean.attention.defined()) mean.attention = mean.attention / with_attention;
  return mean;
}

void EnsembleStep::select(const Tensor& sentences, const Tensor& parents) {
  for (const auto& member : members_) member->select(sentences, parents);
}

void EnsembleStep::join(const Tensor& source) {
  for (const auto& member : members_) member->join(source);
}

}  // namespace heed::search
