// The checkpoints of a training: saves model, optimizer and state, resumes from them, and makes the final model. On
// several ranks, rank 0 reads and writes (run_directory.h) and sends the other ranks what they need.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "heed/report/observer.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/stopping.h"
#include "heed_torch/training/training_state.h"

namespace heed::training {

using Scores = std::map<std::string, double>;

/// A checkpoint that was loaded to resume from.
struct Resumed {
  TrainingState state;
  bool scheduled;                           ///< see checkpoint::CheckpointInfo
  checkpoint::NamedTensors optimizer = {};  ///< the optimizer's tensors and the weights that it trains, as saved
};

/// Computes the validation scores of the model.
using ScoreModel = std::function<Scores()>;

/// Receives the path of a checkpoint.
using Announce = std::function<void(const std::string& path)>;

/// Why a checkpoint is written; see the fields of checkpoint::CheckpointInfo.
struct SaveReason {
  bool scheduled = true;
  bool scored_off_schedule = false;
};

/// All ranks call the functions at the same time.
class CheckpointStore {
 public:
  /// `directory`: null on all ranks except rank 0. It, `model` and `optimizer` must outlive the store.
  CheckpointStore(std::shared_ptr<distributed::RankGroup> ranks, checkpoint::RunDirectory* directory,
                  models::Model& model, Optimizer& optimizer, const TrainOptions& options, ValidationMetric metric);

  /// Loads the newest undamaged checkpoint into model and optimizer; absent if there is no checkpoint: all ranks then
  /// have the model of rank 0. Throws CheckpointError if the checkpoint belongs to another model or optimizer.
  std::optional<Resumed> resume();

  /// Writes a checkpoint, whose model has the weights for evaluation, then removes those that should not be kept. Calls
  /// `announce` with the path just before the checkpoint appears there (RunDirectory::save_checkpoint). Throws Error if
  /// the checkpoint cannot be written; the existing checkpoints are unchanged then. Throws DirectoryMoved.
  void save(const TrainingState& state, const SaveReason& reason, const Announce& announce = [](const std::string&) {});

  /// Makes the final model. One candidate is the best checkpoint (without validation: the last). The other is the
  /// average, if the options ask for one and at least two checkpoints can be averaged. `score` computes the scores of
  /// the average, which is in the model then, on all ranks; an empty `score` computes none. Writes the better candidate
  /// as model.safetensors and leaves it in the model, without LoRA. Keeps the checkpoints, so that this can be
  /// repeated. Throws what `score` throws. scores_version: the current one, see checkpoint::VersionedScores.
  FinalReport finish(int64_t scores_version, const ScoreModel& score);
  /// Writes the best checkpoint (without one: the last) as model.safetensors, for a training that was interrupted. An
  /// average that an earlier end of training wrote there stays while it is better. Like finish(), skips damaged
  /// checkpoints with a warning and throws CheckpointError if no undamaged one is left.
  void write_best_model(int64_t scores_version);

 private:
  std::optional<Resumed> load();
  void share_model();
  void share_optimizer(checkpoint::NamedTensors& saved);
  void resume_weights(const checkpoint::NamedTensors& saved);
  /// Removes the checkpoints that are not needed any more.
  void prune();

  struct Averaged;
  FinalReport choose_model(int64_t scores_version, const ScoreModel& score);
  checkpoint::CheckpointInfo best_or_last() const;
  std::optional<Averaged> average(const ScoreModel& score);
  bool better(const Scores& scores, const Scores& than) const;
  void publish(const Candidate& candidate, int64_t scores_version, const checkpoint::NamedTensors& tensors);

  std::shared_ptr<distributed::RankGroup> ranks_;
  checkpoint::RunDirectory* directory_;  // on rank 0
  models::Model& model_;
  Optimizer& optimizer_;
  TrainOptions options_;
  ValidationMetric metric_;
};

}  // namespace heed::training
