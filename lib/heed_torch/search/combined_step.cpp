#include "heed_torch/search/combined_step.h"

#include <algorithm>
#include <utility>

#include "heed/core/error.h"

namespace heed::search {

CombinedStep::CombinedStep(Members members) : members_(std::move(members)) {
  check(!members_.empty(), "models that search as one must be one at least");
  for (const auto& member : members_) {
    check(member->vocab_size() == vocab_size(), "models that search as one need one vocabulary");
  }
}

int64_t CombinedStep::max_length() const {
  int64_t shortest = StepModel::max_length();
  for (const auto& member : members_) shortest = std::min(shortest, member->max_length());
  return shortest;
}

void CombinedStep::start(const StepSource& source, int64_t beam, bool attention) {
  for (const auto& member : members_) member->start(source, beam, attention);
}

void CombinedStep::select(const Tensor& sentences, const Tensor& parents) {
  for (const auto& member : members_) member->select(sentences, parents);
}

void CombinedStep::join(const StepSource& source) {
  for (const auto& member : members_) member->join(source);
}

}  // namespace heed::search
