// Several models in one search: the base of ensembles and shallow fusion.
#pragma once

#include <memory>
#include <vector>

#include "heed_torch/search/step_model.h"

namespace heed::search {

/// All members take every step. The derived class combines their scores.
class CombinedStep : public StepModel {
 public:
  int64_t vocab_size() const final { return members_.front()->vocab_size(); }
  /// The smallest max_length of the members.
  int64_t max_length() const final;
  void start(const StepSource& source, int64_t beam, bool attention) override;
  void select(const Tensor& sentences, const Tensor& parents) final;
  void join(const StepSource& source) final;

 protected:
  using Members = std::vector<std::unique_ptr<StepModel>>;
  /// At least one member; all have the same vocabulary.
  explicit CombinedStep(Members members);
  const Members& members() const { return members_; }

 private:
  Members members_;
};

}  // namespace heed::search
