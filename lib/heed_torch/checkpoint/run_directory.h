// A model directory: all that translation needs, and what a training run needs to go on.
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
#include "heed/core/files/made_directories.h"
#include "heed/model_directory/directory_lock.h"
#include "heed/model_directory/manifest.h"
#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/checkpoint/tensor_file.h"

namespace heed::checkpoint {

/// The model directory is not where it was when the training began.
class DirectoryMoved : public Error {
 public:
  using Error::Error;
};

/// The model directory of a training run: made where missing, locked, and cleaned of what an interrupted run left.
class RunDirectory {
 public:
  /// Throws FileError; Error when another training uses the directory, or it holds links (DirectoryLock);
  /// CheckpointError when its manifest is damaged or new.
  explicit RunDirectory(std::string path);
  /// Removes the lock if the directory was new or empty and nothing was written, and the directories that this made.
  ~RunDirectory();

  /// Removes all that was written, if the directory was new or empty.
  void discard();

  /// Throws DirectoryMoved when the directory was moved, removed or replaced since it was opened, as all members do
  /// that write in it.
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
  /// Removes a file and its listing. At any moment the manifest fits what there is.
  void remove(const std::string& name);
  /// Writes model.safetensors atomically and lists it with its origin: at any moment the manifest tells that of the
  /// model there is, old or new.
  void write_model(const NamedTensors& tensors, const ModelOrigin& origin, const Metadata& metadata = {});

 private:
  std::string path_;
  MadeDirectories made_;
  std::unique_ptr<DirectoryLock> lock_;
  bool fresh_;  // the directory was new or empty
  Manifest manifest_;
  Checkpoints checkpoints_;
};

/// The tensor file that `checkpoint` names in a model directory: "" for model.safetensors; "best", "last", "averaged";
/// or the number of an update. Throws CheckpointError that lists what there is otherwise, or where `model` is no model
/// directory or the named checkpoint is damaged.
std::string pick_checkpoint(const std::string& model, const std::string& checkpoint);

}  // namespace heed::checkpoint
