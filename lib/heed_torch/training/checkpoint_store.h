// Keeps the checkpoints of a training: writes them, resumes from the newest undamaged one, and makes the final model.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "heed/report/observer.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/stopping.h"
#include "heed_torch/training/training_state.h"

namespace heed::training {

using Scores = std::map<std::string, double>;

/// A checkpoint that was loaded to resume from.
struct Resumed {
  TrainingState state;
  Scores scores;                            ///< empty if it was not validated
  bool scheduled;                           ///< see checkpoint::CheckpointInfo
  checkpoint::NamedTensors optimizer = {};  ///< the optimizer's tensors, as they were saved
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

class CheckpointStore {
 public:
  /// `directory`, `model` and `optimizer` must outlive the store.
  CheckpointStore(checkpoint::RunDirectory& directory, models::Model& model, Optimizer& optimizer,
                  const TrainOptions& options, ValidationMetric metric);
  /// Sets the era of all scores from now on; it is 0 before the first call. See checkpoint::CheckpointInfo.
  void begin_era(int64_t era) { era_ = era; }

  /// Loads the newest undamaged checkpoint into model and optimizer; absent if there is no checkpoint. Throws
  /// CheckpointError if the checkpoint belongs to another model or optimizer.
  std::optional<Resumed> resume();

  /// Writes a checkpoint, then removes those that should not be kept. `scores` are empty without a validation. Calls
  /// `announce` with the path just before the checkpoint appears there (Checkpoints::save). Throws Error if the
  /// checkpoint cannot be written; the existing checkpoints are unchanged then. Throws DirectoryMoved.
  void save(
      const TrainingState& state, const Scores& scores, const SaveReason& occasion,
      const Announce& announce = [](const std::string&) {});

  /// Makes the final model. One candidate is the best checkpoint (without validation: the last). The other is the
  /// average, if the options ask for one and at least two checkpoints can be averaged. `score` computes the scores of
  /// the average, which is in the model then; an empty `score` computes none. Writes the better candidate as
  /// model.safetensors and leaves it in the model. Keeps the checkpoints, so that this can be repeated. The model must
  /// not have LoRA any more (nn::remove_lora). Throws what `score` throws.
  FinalReport finish(const ScoreModel& score);
  /// Writes the best checkpoint (without one: the last) as model.safetensors, for a training that was interrupted. An
  /// average that an earlier end of training wrote there stays while it is better. Like finish(), skips damaged
  /// checkpoints with a warning and throws CheckpointError if no undamaged one is left.
  void write_best_model();

 private:
  struct Averaged;
  checkpoint::CheckpointInfo best_or_last() const;
  std::optional<Averaged> average(const ScoreModel& score);
  bool better(const Scores& scores, const Scores& than) const;
  void publish(const Candidate& candidate, const checkpoint::NamedTensors& tensors);

  checkpoint::RunDirectory& directory_;
  models::Model& model_;
  Optimizer& optimizer_;
  TrainOptions options_;
  ValidationMetric metric_;
  int64_t era_ = 0;
};

}  // namespace heed::training
