// An ensemble: each token has the mean of the probabilities that several models give it (Sutskever et al. 2014,
// https://arxiv.org/abs/1409.3215, section 3.6):
//   p(token) = 1/M sum_m p_m(token)
#pragma once

#include <memory>
#include <vector>

#include "heed/search/step_model.h"

namespace heed::search {

class EnsembleStep : public StepModel {
 public:
  /// At least one member, all of one vocabulary. The logits of a step are log-probabilities: logsumexp is 0. Attention is
  /// the mean of the members' that have any.
  explicit EnsembleStep(std::vector<std::unique_ptr<StepModel>> members);

  int64_t vocab_size() const override { return members_.front()->vocab_size(); }
  /// That of the member that can make the shortest.
  int64_t max_length() const override;
  void start(const Tensor& source, int64_t beam, bool attention) override;
  StepScores step(const Tensor& tokens) override;
  void select(const Tensor& sentences, const Tensor& parents) override;
  void join(const Tensor& source) override;

 private:
  std::vector<std::unique_ptr<StepModel>> members_;
};

}  // namespace heed::search
