// The checkpoints of a training on several ranks. Rank 0 keeps them (checkpoint_store.h) and sends the other ranks
// what they need. On one rank it does what the keeper does.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/checkpoint_store.h"
#include "heed_torch/training/validator.h"

namespace heed::training {

class DistributedCheckpoints {
 public:
  /// `directory` is rank 0's; it is null on other ranks. It, `model` and `optimizer` must outlive this object.
  DistributedCheckpoints(std::shared_ptr<distributed::RankGroup> ranks, checkpoint::RunDirectory* directory,
                         models::Model& model, Optimizer& optimizer, const TrainOptions& options,
                         ValidationMetric metric);

  /// Like those of CheckpointStore; all ranks call them at once. Without a checkpoint, resume() gives all ranks the
  /// model of rank 0.
  std::optional<Resumed> resume();
  FinalReport finish(const Validator* validator, const StopRequest& stop);

  /// Like those of CheckpointStore on rank 0; they do nothing on other ranks.
  void begin_era(int64_t era);
  void save(const TrainingState& state, const Scores& scores, const SaveReason& occasion, const Announce& announce);
  void write_best_model();

 private:
  void share_model();
  void share_optimizer(const checkpoint::NamedTensors& saved);
  void follow_end(const Validator* validator, const StopRequest& stop);

  std::shared_ptr<distributed::RankGroup> ranks_;
  models::Model& model_;
  Optimizer& optimizer_;
  std::optional<CheckpointStore> keeper_;  // on rank 0
};

}  // namespace heed::training
