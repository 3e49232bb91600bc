// An ensemble: each token has the mean of the probabilities that several models give it (Sutskever et al. 2014,
// https://arxiv.org/abs/1409.3215, section 3.6):
//   p(token) = 1/M sum_m p_m(token)
#pragma once

#include <memory>
#include <vector>

#include "heed/search/logits/combined_step.h"

namespace heed::search {

class EnsembleStep : public CombinedStep {
 public:
  /// At least one member, all of one vocabulary. The logits of a step are log-probabilities: logsumexp is 0. Attention
  /// is the mean of the members' that have any, over as many positions as the first of them (vectors may be read
  /// otherwise).
  explicit EnsembleStep(std::vector<std::unique_ptr<StepModel>> members);

  StepScores step(const Tensor& tokens) override;
};

}  // namespace heed::search
