// The checkpoints of a training on several ranks: rank 0 keeps them (checkpoint_keeper.h), and the others get from it
// what they need. On one rank it is the keeper alone.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/checkpoint_keeper.h"
#include "heed_torch/training/validator.h"

namespace heed::training {

class SharedCheckpoints {
 public:
  /// `directory` is rank 0's; the others have none. It, `model` and `optimizer` must outlive this.
  SharedCheckpoints(std::shared_ptr<distributed::RankGroup> ranks, checkpoint::RunDirectory* directory,
                    models::Model& model, Optimizer& optimizer, const TrainOptions& options, ValidationMetric metric);

  /// As CheckpointKeeper's, on all ranks at once; also without a checkpoint the model is that of rank 0 then.
  std::optional<Resumed> resume();
  FinalReport finish(const Validator* validator, const StopRequest& stop);

  /// As CheckpointKeeper's, on rank 0; nothing on others.
  void begin_era(int64_t era);
  void save(const TrainingState& state, const Scores& scores, const Occasion& occasion, const Announce& announce);
  void publish_best();

 private:
  void share_model();
  void share_optimizer(const checkpoint::NamedTensors& saved);
  void follow_end(const Validator* validator, const StopRequest& stop);

  std::shared_ptr<distributed::RankGroup> ranks_;
  models::Model& model_;
  Optimizer& optimizer_;
  std::optional<CheckpointKeeper> keeper_;  // of rank 0
};

}  // namespace heed::training
