// An ensemble: each token has the mean of the probabilities that several models give it (Sutskever et al. 2014,
// https://arxiv.org/abs/1409.3215, section 3.6):
//   p(token) = sum_m w_m p_m(token),  w_m = 1/M where no weights are given
#pragma once

#include <memory>
#include <vector>

#include "heed_torch/search/combined_step.h"

namespace heed::search {

class EnsembleStep : public CombinedStep {
 public:
  /// At least one member, all of one vocabulary. The logits of a step are log-probabilities: logsumexp is 0. Attention
  /// is the mean of the members' that have any, over as many positions as the first of them (vectors may be read
  /// otherwise). weights: of each member, above 0; they are made to add up to 1. None: all weigh the same.
  explicit EnsembleStep(std::vector<std::unique_ptr<StepModel>> members, std::vector<double> weights = {});

  StepScores step(const Tensor& tokens) override;

 private:
  std::vector<double> log_weights_;  // of each member, up to a term that all share
  double log_of_sum_;                // of the weights behind log_weights_
};

}  // namespace heed::search
