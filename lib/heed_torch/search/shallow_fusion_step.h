// Shallow fusion of a translation model with a language model of the target language (Gulcehre et al. 2015,
// https://arxiv.org/abs/1503.03535, section 4.1):
//   score(token) = log p_translation(token) + weight * log p_language(token)
#pragma once

#include <memory>

#include "heed_torch/search/combined_step.h"

namespace heed::search {

class ShallowFusionStep : public CombinedStep {
 public:
  /// Both models have the same vocabulary; the language model ignores the source. The scores of both are normalized,
  /// but their sum is not. A step's logsumexp is 0.
  ShallowFusionStep(std::unique_ptr<StepModel> translation, std::unique_ptr<StepModel> language, double weight);

  void start(const StepSource& source, int64_t beam, bool attention) override;
  StepScores step(const Tensor& tokens) override;

 private:
  StepModel& translation() const { return *members().front(); }
  StepModel& language() const { return *members().back(); }

  double weight_;
};

}  // namespace heed::search
