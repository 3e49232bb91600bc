// The checkpoints of a training: directories below MODEL/checkpoints, named by their step. Each is whole or absent,
// even if a write is interrupted. Here they are listed, compared and read; run_directory.h writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/model_directory/manifest.h"
#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::checkpoint {

struct CheckpointInfo {
  int64_t step = 0;
  VersionedScores scores;
  std::optional<double> comparable_score;  ///< decides which is best: higher is better; absent: not compared
  bool scheduled = true;             ///< false: written only because training began, was interrupted or ended there
  bool scored_off_schedule = false;  ///< scored only at the end of training; counts while it is the newest
  double loss() const;  ///< the score "loss", which decides between equal comparable scores; infinite without one
  bool operator==(const CheckpointInfo&) const = default;
};
/// Whether `one` has a higher comparable score than `other`, or an equal one and a lower loss. Both must have one.
bool is_better(const CheckpointInfo& one, const CheckpointInfo& other);

/// Everything that training needs to resume.
struct Checkpoint {
  CheckpointInfo info;
  NamedTensors model;
  NamedTensors optimizer;
  std::string state;  ///< JSON, written by the trainer
};

/// The files of a checkpoint, next to the manifest.
inline constexpr const char* kModelFile = kPublishedModel;
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";
inline constexpr const char* kStateFile = "state.json";

// Below, `model` is the model directory.

/// MODEL/checkpoints
std::string checkpoints_path(const std::string& model);
/// MODEL/checkpoints/0004000
std::string checkpoint_path(const std::string& model, int64_t step);
/// MODEL/checkpoints/0004000/model.safetensors
std::string checkpoint_model_path(const std::string& model, int64_t step);
/// The step whose checkpoint has this name ("0004000"); absent for other names.
std::optional<int64_t> checkpoint_step(std::string_view name);

/// Whether there is a checkpoint, damaged or not.
bool has_checkpoints(const std::string& model);
/// All checkpoints with an undamaged manifest, oldest first; skips others with a warning. Only scores of one version
/// are comparable in the result: that of the newest checkpoint with a comparable score.
std::vector<CheckpointInfo> list_checkpoints(const std::string& model);
/// Those that a final model may be made from: the scheduled ones and the newest, oldest first. So an interruption or
/// an earlier end does not change the final model of a resumed training.
std::vector<CheckpointInfo> candidates(const std::string& model);
/// The best of the candidates.
std::optional<CheckpointInfo> best_checkpoint(const std::string& model);

/// Those with a comparable score, best first: the highest score, then the lowest loss, then the oldest.
std::vector<CheckpointInfo> best_first(std::vector<CheckpointInfo> infos);
/// The `count` best and the `count` newest of a list that is oldest first; both results are oldest first.
std::vector<CheckpointInfo> best_of(std::vector<CheckpointInfo> infos, int64_t count);
std::vector<CheckpointInfo> last_of(std::vector<CheckpointInfo> infos, int64_t count);

/// Reads a checkpoint and verifies its checksums. Throws CheckpointError, FileError.
Checkpoint load_checkpoint(const std::string& model, int64_t step);
/// Verifies the checksum of a checkpoint's model. Throws CheckpointError, FileError.
void verify_checkpoint_model(const std::string& model, int64_t step);

/// The tensor file in a model directory that `checkpoint` names: "" for model.safetensors; "best", "last", "averaged";
/// or the number of a step. Throws CheckpointError if `model` is not a model directory or the checkpoint is damaged.
/// The error for a missing checkpoint lists the available ones.
std::string pick_checkpoint(const std::string& model, const std::string& checkpoint);

}  // namespace heed::checkpoint
