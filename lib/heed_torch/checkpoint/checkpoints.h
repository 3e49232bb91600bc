// The checkpoints of a run: directories named by their update below MODEL/checkpoints, each whole or absent, whatever
// happens while one is written.
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
  std::optional<double> rank;            ///< decides which is best: higher is better; none: not in the running
  bool scheduled = true;                 ///< false: training only began, was interrupted or ended there
  bool scored_off_schedule = false;      ///< only the end of training called for scores: they count while it is newest
  /// How often what scores depend on beside the model (validation text, metric) had changed: scores of two eras do not
  /// compare, and only ranks of the newest count.
  int64_t era = 0;
  double loss() const;  ///< the score "loss", which decides between equal ranks; infinite without one
  bool operator==(const CheckpointInfo&) const = default;
};
/// Whether `one` is better than `other`, both with a rank: its rank is higher, or is equal and its loss is lower.
bool is_better(const CheckpointInfo& one, const CheckpointInfo& other);

/// All that training needs to go on.
struct Checkpoint {
  CheckpointInfo info;
  NamedTensors model;
  NamedTensors optimizer;
  std::string state;  ///< JSON, the trainer's own
};

/// In a model directory: its checkpoints.
inline constexpr const char* kCheckpointsDirectory = "checkpoints";

class Checkpoints {
 public:
  /// Those in `directory` (MODEL/checkpoints), which may not exist yet; MODEL must.
  explicit Checkpoints(std::string directory) : directory_(std::move(directory)) {}

  /// Writes one, replacing that of the same update. Calls `before_commit` when all of it is on the disk and only its
  /// name is missing. Throws Error when the disk has not enough space left, FileError, and what `before_commit` throws;
  /// the checkpoints there before are untouched then.
  void save(const Checkpoint& checkpoint, const std::function<void()>& before_commit = [] {}) const;
  /// Reads one after comparing its checksums. Throws CheckpointError, FileError.
  Checkpoint load(int64_t update) const;
  /// The newest undamaged one. Damaged ones behind it are put aside with a warning, as `.NAME.damaged`: training makes
  /// them anew. Absent: there is none. Throws CheckpointError when all are damaged, FileError. Only the holder of the
  /// run's lock may call it.
  std::optional<Checkpoint> load_latest() const;

  /// Compares the checksum of a checkpoint's model. Throws CheckpointError, FileError.
  void verify_model(int64_t update) const;

  /// Whether there is one, damaged or not.
  bool any() const;
  /// All that have an undamaged manifest, oldest first; others are passed over with a warning. Those of an older era
  /// than the newest with a rank have none.
  std::vector<CheckpointInfo> list() const;
  /// Those that a final model may be made of: the scheduled ones and the newest, oldest first. So an interruption, or
  /// an earlier end, leaves no trace in the model of a training that went on.
  std::vector<CheckpointInfo> candidates() const;
  /// The candidates with a rank, best first: the highest rank, of equal ones the lowest loss, of equal ones the oldest.
  std::vector<CheckpointInfo> ranked() const;
  std::optional<CheckpointInfo> best() const;
  /// The `count` best candidates and the `count` newest, both given oldest first.
  std::vector<CheckpointInfo> best(int64_t count) const;
  std::vector<CheckpointInfo> last(int64_t count) const;
  /// Removes all but the newest and, of the scheduled ones, the `keep_best` best by scores of the schedule and the
  /// `keep_last` newest.
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
