// The model directory of a training on disk. Only RunDirectory writes into it; checkpoints.h and heed/model_directory
// read it.
//
//   MODEL/config.toml  model.safetensors  source.ENDING target.ENDING  manifest.json
//         train.corpus valid.corpus train.text.N  metrics.jsonl
//         checkpoints/0004000/{model,optimizer}.safetensors + state.json + manifest.json
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "heed/core/error.h"
#include "heed/core/files/created_directories.h"
#include "heed/model_directory/directory_lock.h"
#include "heed/model_directory/manifest.h"
#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/checkpoint/tensor_file.h"

namespace heed::checkpoint {

/// The model directory is no longer where it was when the training began.
class DirectoryMoved : public Error {
 public:
  using Error::Error;
};

/// The model directory of a training run: what translation needs, and the checkpoints. It is created if missing,
/// locked, and cleaned of files of an interrupted run.
class RunDirectory {
 public:
  /// Throws FileError. Throws Error if another training uses the directory, or if it holds links (DirectoryLock).
  /// Throws CheckpointError if its manifest is damaged or too new.
  explicit RunDirectory(std::string path);
  /// If the directory was new or empty and nothing was written, removes the lock and the directories created here.
  ~RunDirectory();

  /// Removes everything that was written, if the directory was new or empty.
  void discard();

  /// Throws DirectoryMoved if the directory was moved, removed or replaced since it was opened. All members that write
  /// into it throw this too.
  void require_in_place() const;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const;
  const Manifest& manifest() const { return manifest_; }

  /// Sets what the manifest says about the run, and writes it. usual_source_length: none leaves it as it is. folder: in
  /// which the run was started.
  void describe_run(uint64_t seed, const std::map<std::string, std::string>& corpus,
                    std::optional<int64_t> usual_source_length = {}, const std::string& folder = {});
  /// Sets the usual length, which a stream shows only while it is read.
  void describe_lengths(int64_t usual_source_length);
  /// Writes a small file atomically and lists it. At any moment the manifest fits the file, old or new.
  void write(const std::string& name, std::string_view content);
  /// Removes a file and its entry in the manifest. At any moment the manifest fits the existing files.
  void remove(const std::string& name);
  /// Writes model.safetensors atomically and lists it with its origin. At any moment the manifest describes the model
  /// that is there, old or new.
  void write_model(const NamedTensors& tensors, const ModelOrigin& origin, const Metadata& metadata = {});

  /// Writes a checkpoint and replaces one of the same step. Calls `before_commit` when everything is on the disk and
  /// only the final name is missing. Throws Error if the disk has too little space, FileError, and what `before_commit`
  /// throws; the existing checkpoints are unchanged then.
  void save_checkpoint(const Checkpoint& checkpoint, const std::function<void()>& before_commit = [] {}) const;
  /// The newest undamaged checkpoint; absent without one. Renames newer, damaged ones to `.NAME.damaged` with a
  /// warning; training makes them again. Throws CheckpointError if all are damaged, FileError.
  std::optional<Checkpoint> load_latest_checkpoint() const;
  /// Removes all checkpoints except these: the newest; of the scheduled ones the `keep_last` newest; and the
  /// `keep_best` best by scores of the schedule.
  void prune_checkpoints(int64_t keep_best, int64_t keep_last) const;

 private:
  void rename_damaged(int64_t step) const;
  std::string hidden_checkpoint(int64_t step, const char* ending) const;

  std::string path_;
  CreatedDirectories made_;
  std::unique_ptr<DirectoryLock> lock_;
  bool fresh_;  // the directory was new or empty
  Manifest manifest_;
};

}  // namespace heed::checkpoint
