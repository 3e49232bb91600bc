// Shallow fusion of a translation model with a language model of the target language (Gulcehre et al. 2015,
// https://arxiv.org/abs/1503.03535, section 4.1):
//   score(token) = log p_translation(token) + weight * log p_language(token)
#pragma once

#include <memory>

#include "heed/search/step_model.h"

namespace heed::search {

class FusedStep : public StepModel {
 public:
  /// Both of one vocabulary; the language model does not look at the source. The scores of both are normalized, their
  /// sum is not: logsumexp of a step is 0.
  FusedStep(std::unique_ptr<StepModel> translation, std::unique_ptr<StepModel> language, double weight);

  int64_t vocab_size() const override { return translation_->vocab_size(); }
  int64_t max_length() const override;
  void start(const Tensor& source, int64_t beam, bool attention) override;
  StepScores step(const Tensor& tokens) override;
  void select(const Tensor& sentences, const Tensor& parents) override;
  void join(const Tensor& source) override;

 private:
  std::unique_ptr<StepModel> translation_;
  std::unique_ptr<StepModel> language_;
  double weight_;
};

}  // namespace heed::search
