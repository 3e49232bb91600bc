// manifest.json lists the files of a model directory, or of one checkpoint, with sizes and checksums. So heed detects
// missing, truncated or changed files when it opens a model. It also has the format's version.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::checkpoint {

/// The version that this program writes; it also reads all older versions.
inline constexpr int64_t kFormatVersion = 1;

struct FileRecord {
  int64_t size = 0;  ///< bytes
  std::string sha256;
  bool operator==(const FileRecord&) const = default;
};
/// The size in the pending record of a file that is being removed.
inline constexpr int64_t kPendingRemoval = -1;  // not a valid size of a file
/// Throws FileError.
FileRecord record_of(const std::string& path);

/// Validation scores. Those of different versions cannot be compared.
struct VersionedScores {
  std::map<std::string, double> by_name;  ///< empty without a validation
  int64_t version = 0;  ///< how often the conditions of scores (validation text, metric), apart from the model, changed
  bool operator==(const VersionedScores&) const = default;
};

/// The origin of model.safetensors.
struct ModelOrigin {
  std::string chosen;          ///< "best", "last" or "averaged"; "checkpoint" for the model of a checkpoint
  std::vector<int64_t> steps;  ///< training steps of the checkpoints that it was made from
  VersionedScores scores;      ///< only finite ones are written
  bool operator==(const ModelOrigin&) const = default;
};

/// Replaces the checksum of streamed text, which is compared when the text is read.
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
  std::optional<double> comparable_score;      ///< of a checkpoint: see CheckpointInfo
  bool scheduled = true;                       ///< of a checkpoint: see CheckpointInfo
  bool scored_off_schedule = false;            ///< of a checkpoint: see CheckpointInfo
  bool operator==(const Manifest&) const = default;
};

/// The file of a manifest in its directory.
inline constexpr const char* kManifestFile = "manifest.json";
/// The content of that file.
std::string manifest_text(const Manifest& manifest);
/// Writes `directory`/manifest.json atomically. Throws FileError.
void write_manifest(const std::string& directory, const Manifest& manifest);
/// Reads the manifest. Throws CheckpointError if it is missing, damaged, of a newer format version, or lists a file
/// that is not directly in the directory.
Manifest read_manifest(const std::string& directory);

/// The file with the parameters of a finished model.
inline constexpr const char* kPublishedModel = "model.safetensors";
/// Whether a file of a model directory describes the model: config.toml, the tokenizers and the placeholders.
bool describes_model(std::string_view name);

/// Lists a file that has been replaced; for the model, also its origin.
void enter(Manifest& manifest, const std::string& name, const FileRecord& record,
           const std::optional<ModelOrigin>& origin);
/// Lists those pending files whose replacement was completed.
void enter_replaced(const std::string& directory, Manifest& manifest);

/// Renames the file `replacement` to `name` and lists it in `manifest` and on disk, for the model with its origin. At
/// every moment the manifest on disk matches the file, old or new. If that fails, removes `replacement` and throws
/// FileError.
void replace_file(const std::string& directory, Manifest& manifest, const std::string& name,
                  const std::string& replacement, const std::optional<ModelOrigin>& origin = std::nullopt);

/// Removes a file from the list, in `manifest` and on disk, then deletes it. If the process is killed in between, the
/// file stays pending. Throws FileError.
void remove_file(const std::string& directory, Manifest& manifest, const std::string& name);
/// Deletes the pending files whose removal was not completed. Throws FileError.
void remove_pending(const std::string& directory, const Manifest& manifest);

/// The manifest of a model directory, with completed replacements listed. Throws CheckpointError if this is not a model
/// directory, or if its manifest is missing or damaged.
Manifest read_model_manifest(const std::string& model);

enum class Verify { Sizes, Checksums };
/// Throws CheckpointError for the first listed file that is missing or differs. Verify::Checksums reads every byte.
void verify_files(const std::string& directory, const Manifest& manifest, Verify verify);
/// The path of the finished model, after checking all files against the manifest; absent if no model is finished.
/// Throws CheckpointError.
std::optional<std::string> finished_model(const std::string& model, Verify verify = Verify::Checksums);
/// Throws CheckpointError if the directory has no finished model, or if its files differ from the manifest.
void verify_finished_model(const std::string& directory);

}  // namespace heed::checkpoint
