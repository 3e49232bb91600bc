// Several models in one search: shared by ensembles and shallow fusion.
#pragma once

#include <memory>
#include <vector>

#include "heed_torch/search/step_model.h"

namespace heed::search {

/// All members take every step; what their scores become together is the derived class's.
class CombinedStep : public StepModel {
 public:
  int64_t vocab_size() const final { return members_.front()->vocab_size(); }
  /// That of the member that can make the shortest.
  int64_t max_length() const final;
  void start(const StepSource& source, int64_t beam, bool attention) override;
  void select(const Tensor& sentences, const Tensor& parents) final;
  void join(const StepSource& source) final;

 protected:
  using Members = std::vector<std::unique_ptr<StepModel>>;
  /// At least one, all of one vocabulary.
  explicit CombinedStep(Members members);
  const Members& members() const { return members_; }

 private:
  Members members_;
};

}  // namespace heed::search
