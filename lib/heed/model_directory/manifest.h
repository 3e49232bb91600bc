// manifest.json lists the files of a model directory, or of one checkpoint, with sizes and checksums, so that opening
// it finds what is missing, cut off or changed, and tells the format's version.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heed::checkpoint {

/// The version that this program writes; it reads this and all older ones.
inline constexpr int64_t kFormatVersion = 1;

struct FileRecord {
  int64_t size = 0;  ///< bytes
  std::string sha256;
  bool operator==(const FileRecord&) const = default;
};
/// The pending record of a file that is being removed.
inline constexpr int64_t kPendingRemoval = -1;  // its size
/// Throws FileError.
FileRecord record_of(const std::string& path);

/// Where model.safetensors comes from.
struct ModelOrigin {
  std::string chosen;                    ///< "best", "last" or "averaged"; of a checkpoint's own model "checkpoint"
  std::vector<int64_t> updates;          ///< the checkpoints it was made of
  std::map<std::string, double> scores;  ///< its validation scores by name; finite ones are written
  int64_t era = 0;                       ///< of the scores: see CheckpointInfo
  bool operator==(const ModelOrigin&) const = default;
};

/// Stands among the checksums of a text that was a stream, which is compared where it is read.
inline constexpr const char* kStreamedText = "stream";

struct Manifest {
  int64_t format = kFormatVersion;
  std::map<std::string, FileRecord> files;     ///< by name; names hold no `/`, so that all are in the directory itself
  std::map<std::string, FileRecord> pending;   ///< files being replaced: either record is right; or being removed
  std::optional<uint64_t> seed;                ///< of the training; none in a checkpoint
  std::map<std::string, std::string> corpus;   ///< checksums of the text trained on, by name
  std::string folder;                          ///< in which the training was started; empty: not known
  std::optional<int64_t> usual_source_length;  ///< tokens that few lines of the text trained on exceed; none: not known
  ModelOrigin origin;                          ///< of model.safetensors; nothing chosen: there is none
  std::optional<ModelOrigin> pending_origin;   ///< of the model that replaces it, while that is pending
  std::optional<double> rank;                  ///< of a checkpoint: higher is better; none: not in the running
  bool scheduled = true;                       ///< of a checkpoint: see CheckpointInfo
  bool scored_off_schedule = false;            ///< of a checkpoint: see CheckpointInfo
  bool operator==(const Manifest&) const = default;
};

/// Writes `directory`/manifest.json atomically. Throws FileError.
void write_manifest(const std::string& directory, const Manifest& manifest);
/// Reads it. Throws CheckpointError when it is missing, damaged, of a newer format version, or lists a file that is not
/// in the directory itself.
Manifest read_manifest(const std::string& directory);

/// The parameters of a model directory's finished model.
inline constexpr const char* kPublishedModel = "model.safetensors";

/// Lists a file that has taken its place, and with the model its origin.
void enter(Manifest& manifest, const std::string& name, const FileRecord& record,
           const std::optional<ModelOrigin>& origin);
/// Enters those of the pending files that have taken their places.
void enter_replaced(const std::string& directory, Manifest& manifest);

/// Renames the file `replacement` to `name` and lists it, with the model its origin, in `manifest` and on the disk. At
/// any moment the manifest on the disk fits the file, old or new. Removes `replacement` and throws when that fails:
/// FileError.
void replace_file(const std::string& directory, Manifest& manifest, const std::string& name,
                  const std::string& replacement, const std::optional<ModelOrigin>& origin = std::nullopt);

/// Takes a file off the list, in `manifest` and on the disk, then removes it. A kill in between leaves it pending.
/// Throws FileError.
void remove_file(const std::string& directory, Manifest& manifest, const std::string& name);
/// Removes those of the pending files that were being removed. Throws FileError.
void remove_pending(const std::string& directory, const Manifest& manifest);

/// The manifest of a model directory, with what has been replaced entered. Throws CheckpointError where it is none, or
/// its manifest is missing or damaged.
Manifest read_model_manifest(const std::string& model);

enum class Verify { Sizes, Checksums };
/// Throws CheckpointError at the first listed file that is missing or differs. Checksums read every byte.
void verify_files(const std::string& directory, const Manifest& manifest, Verify verify);
/// The file of the finished model of a model directory whose files are those that its manifest lists; absent: none is
/// finished. Throws CheckpointError.
std::optional<std::string> finished_model(const std::string& model, Verify verify = Verify::Checksums);
/// Throws CheckpointError where the directory has no finished model or not the very files that its manifest lists.
void verify_finished_model(const std::string& directory);

}  // namespace heed::checkpoint
