// An ensemble: each token's probability is the mean of the probabilities from several models (Sutskever et al. 2014,
// https://arxiv.org/abs/1409.3215, section 3.6):
//   p(token) = sum_m w_m p_m(token),  w_m = 1/M without weights
#pragma once

#include <memory>
#include <vector>

#include "heed_torch/search/combined_step.h"

namespace heed::search {

class EnsembleStep : public CombinedStep {
 public:
  /// At least one member; all have the same vocabulary. The logits of a step are log-probabilities, so logsumexp is 0.
  /// Attention is the mean over the members that have attention with as many positions as the first of them; the number
  /// of vectors can differ. weights: one per member, above 0, normalized to sum to 1. Empty: all equal.
  explicit EnsembleStep(std::vector<std::unique_ptr<StepModel>> members, std::vector<double> weights = {});

  StepScores step(const Tensor& tokens) override;

 private:
  std::vector<double> log_weights_;  // one per member, up to a common constant
  double log_of_sum_;                // log of the sum of the weights before normalization
};

}  // namespace heed::search
