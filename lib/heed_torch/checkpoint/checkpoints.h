// The checkpoints of a run: directories below MODEL/checkpoints, named by their update. Each is whole or absent, even
// if a write is interrupted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::checkpoint {

struct CheckpointInfo {
  int64_t update = 0;
  std::map<std::string, double> scores;  ///< validation scores by name; empty without a validation
  std::optional<double> rank;            ///< decides which is best: higher is better; absent: not compared
  bool scheduled = true;                 ///< false: written only because training began, was interrupted or ended there
  bool scored_off_schedule = false;      ///< scored only at the end of training; counts while it is the newest
  /// How often the conditions of scores (validation text, metric), apart from the model, had changed. Scores of
  /// different eras cannot be compared; only ranks of the newest era count.
  int64_t era = 0;
  double loss() const;  ///< the score "loss", which decides between equal ranks; infinite without one
  bool operator==(const CheckpointInfo&) const = default;
};
/// Whether `one` has a higher rank than `other`, or an equal rank and a lower loss. Both must have a rank.
bool is_better(const CheckpointInfo& one, const CheckpointInfo& other);

/// Everything that training needs to resume.
struct Checkpoint {
  CheckpointInfo info;
  NamedTensors model;
  NamedTensors optimizer;
  std::string state;  ///< JSON, written by the trainer
};

/// The name of the directory of checkpoints in a model directory.
inline constexpr const char* kCheckpointsDirectory = "checkpoints";

class Checkpoints {
 public:
  /// `directory` (MODEL/checkpoints) does not have to exist yet; MODEL does.
  explicit Checkpoints(std::string directory) : directory_(std::move(directory)) {}

  /// Writes a checkpoint and replaces one of the same update. Calls `before_commit` when everything is on the disk and
  /// only the final name is missing. Throws Error if the disk has too little space, FileError, and what `before_commit`
  /// throws; the existing checkpoints are unchanged then.
  void save(const Checkpoint& checkpoint, const std::function<void()>& before_commit = [] {}) const;
  /// Reads a checkpoint and verifies its checksums. Throws CheckpointError, FileError.
  Checkpoint load(int64_t update) const;
  /// The newest undamaged checkpoint; absent if there is none. Renames newer, damaged ones to `.NAME.damaged` with a
  /// warning; training makes them again. Throws CheckpointError if all are damaged, FileError. Only the holder of the
  /// run's lock may call it.
  std::optional<Checkpoint> load_latest() const;

  /// Verifies the checksum of a checkpoint's model. Throws CheckpointError, FileError.
  void verify_model(int64_t update) const;

  /// Whether there is a checkpoint, damaged or not.
  bool any() const;
  /// All checkpoints with an undamaged manifest, oldest first; skips others with a warning. The result has ranks of one
  /// era only: that of the newest checkpoint with a rank.
  std::vector<CheckpointInfo> list() const;
  /// Those that a final model may be made from: the scheduled ones and the newest, oldest first. So an interruption or
  /// an earlier end does not change the final model of a resumed training.
  std::vector<CheckpointInfo> candidates() const;
  /// The candidates with a rank, best first: the highest rank, then the lowest loss, then the oldest.
  std::vector<CheckpointInfo> ranked() const;
  std::optional<CheckpointInfo> best() const;
  /// The `count` best candidates and the `count` newest, both oldest first.
  std::vector<CheckpointInfo> best(int64_t count) const;
  std::vector<CheckpointInfo> last(int64_t count) const;
  /// Removes all checkpoints except these: the newest; of the scheduled ones the `keep_last` newest; and the
  /// `keep_best` best by scores of the schedule.
  void prune(int64_t keep_best, int64_t keep_last) const;
  /// Finishes or removes what an interrupted save or prune left. Only the holder of the run's lock may call it.
  void clean() const;

  const std::string& directory() const { return directory_; }
  std::string path(int64_t update) const;
  std::string model_path(int64_t update) const { return path(update) + "/model.safetensors"; }

 private:
  void put_aside(int64_t update) const;

  std::string directory_;
};

}  // namespace heed::checkpoint
