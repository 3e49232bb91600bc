// A model directory: everything that translation needs, and what a training needs to resume.
//
//   MODEL/config.toml  model.safetensors  source.ENDING target.ENDING  manifest.json
//         train.corpus valid.corpus train.text.N  metrics.jsonl
//         checkpoints/0004000/{model,optimizer}.safetensors + state.json + manifest.json
#pragma once

#include <cstdint>
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

/// The model directory of a training run. It is created if missing, locked, and cleaned of files of an interrupted run.
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
  const Checkpoints& checkpoints() const { return checkpoints_; }
  const Manifest& manifest() const { return manifest_; }

  /// Sets what the manifest says about the run, and writes it. folder: in which the run was started.
  void describe_run(uint64_t seed, const std::map<std::string, std::string>& corpus,
                    std::optional<int64_t> usual_source_length = {}, const std::string& folder = {});
  /// Sets of it what a stream shows only as it is read.
  void describe_lengths(int64_t usual_source_length);
  /// Writes a small file atomically and lists it. At any moment the manifest fits the file, old or new.
  void write(const std::string& name, std::string_view content);
  /// Removes a file and its entry in the manifest. At any moment the manifest fits the existing files.
  void remove(const std::string& name);
  /// Writes model.safetensors atomically and lists it with its origin. At any moment the manifest describes the model
  /// that is there, old or new.
  void write_model(const NamedTensors& tensors, const ModelOrigin& origin, const Metadata& metadata = {});

 private:
  std::string path_;
  CreatedDirectories made_;
  std::unique_ptr<DirectoryLock> lock_;
  bool fresh_;  // the directory was new or empty
  Manifest manifest_;
  Checkpoints checkpoints_;
};

/// The tensor file in a model directory that `checkpoint` names: "" for model.safetensors; "best", "last", "averaged";
/// or the number of an update. Throws CheckpointError if `model` is not a model directory or the checkpoint is damaged.
/// If there is no such checkpoint, the error lists the available ones.
std::string pick_checkpoint(const std::string& model, const std::string& checkpoint);

}  // namespace heed::checkpoint
