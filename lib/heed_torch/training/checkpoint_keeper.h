// Keeps a training's checkpoints: writes them, resumes from the newest good one, and makes the final model of them.
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

/// A checkpoint that was read back.
struct Resumed {
  TrainingState state;
  Scores scores;                            ///< empty if it was not validated
  bool scheduled;                           ///< see checkpoint::CheckpointInfo
  checkpoint::NamedTensors optimizer = {};  ///< its own tensors, as they were saved
};

/// Scores what is in the model.
using ScoreModel = std::function<Scores()>;

/// Takes the path of a checkpoint.
using Announce = std::function<void(const std::string& path)>;

/// See checkpoint::CheckpointInfo.
struct Occasion {
  bool scheduled = true;
  bool scored_off_schedule = false;
};

class CheckpointKeeper {
 public:
  /// `directory`, `model` and `optimizer` must outlive the keeper.
  CheckpointKeeper(checkpoint::RunDirectory& directory, models::Model& model, Optimizer& optimizer,
                   const TrainOptions& options, ValidationMetric metric);
  /// The era of all scores from now on, 0 before: see checkpoint::CheckpointInfo.
  void begin_era(int64_t era) { era_ = era; }

  /// Reads the newest undamaged checkpoint into model and optimizer; absent when there is none. Throws CheckpointError
  /// when it is of another model or optimizer.
  std::optional<Resumed> resume();

  /// Writes a checkpoint and removes those that are not to be kept; `scores` are empty without a validation. Calls
  /// `announce` with its path just before it appears there (Checkpoints::save). Throws Error when it cannot be written;
  /// the checkpoints there are as before then. Throws DirectoryMoved.
  void save(
      const TrainingState& state, const Scores& scores, const Occasion& occasion,
      const Announce& announce = [](const std::string&) {});

  /// The candidates for the final model: the best checkpoint (without validation: the last), and the average if one is
  /// asked for and there are at least two checkpoints for it; `score` (empty: nobody) scores it, as it stands in the
  /// model. Writes the better one as model.safetensors and leaves it in the model. The checkpoints stay, so that it can
  /// be done again. The model must be an ordinary one by then (nn::remove_lora). Throws what `score` does.
  FinalReport finish(const ScoreModel& score);
  /// Writes the best checkpoint (without one: the last) as model.safetensors: what an interrupted training leaves. The
  /// average that an earlier end left there stays as long as it is better.
  /// Like finish(), passes over damaged checkpoints with a warning and throws CheckpointError when no other is left.
  void publish_best();

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
