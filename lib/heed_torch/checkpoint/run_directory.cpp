#include "heed_torch/checkpoint/run_directory.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/temporary_name.h"
#include "heed/core/log.h"
#include "heed/core/parsed_number.h"
#include "heed/model_directory/settle.h"
#include "heed_torch/checkpoint/disk_space.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReplacement = ".new";

constexpr const char* kLock = ".lock";

/// Whether a run writes a file or directory of this name. Everything else in the directory belongs to the user.
bool is_of_run(const std::string& name) {
  static const std::regex names(
      R"((config\.toml|manifest\.json|metrics\.jsonl|overlap\.json|model\.safetensors|checkpoints|)"
      R"((source|target)\.[a-z]+|(train|valid)\.(corpus|text|vectors)(\..+)?|\..*\.heed[0-9]*\.tmp))");
  return std::regex_match(name, names);
}

/// Whether the directory holds at most a lock that an earlier start left.
bool is_empty(const std::string& path) {
  return std::ranges::all_of(fs::directory_iterator(path),
                             [](const auto& entry) { return entry.path().filename() == kLock; });
}

/// Removes what replace_file, kept text and converted media leave when the process is killed, and what AtomicFile left
/// in earlier versions. Other files belong to the user.
void remove_leftovers(const std::string& directory) {
  static const std::regex unfinished(
      R"((config\.toml|(model|shortlist)\.safetensors|(source|target)\.[a-z]+|(train|valid)\.text\.\d+)\.new(\.\d+\.tmp)?)"
      R"(|(train|valid)\.vectors\.new\.safetensors(\.\d+\.tmp)?)"
      R"(|(manifest\.json|(source|target)\.[a-z]+|(train|valid)\.corpus)\.\d+\.tmp)");
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && std::regex_match(entry.path().filename().string(), unfinished))
      leftovers.push_back(entry);
  }
  for (const fs::path& leftover : leftovers) fs::remove(leftover);
}

/// The update in the directory that `name` means.
std::optional<int64_t> update_for(const Checkpoints& checkpoints, const std::string& name) {
  if (name == "best") {
    const auto best = checkpoints.best();
    return best ? std::optional(best->update) : std::nullopt;
  }
  const auto wanted = parsed_number<int64_t>(name);
  for (const CheckpointInfo& info : checkpoints.list()) {
    if (wanted && info.update == *wanted) return info.update;
  }
  const auto last = checkpoints.last(1);
  return name == "last" && !last.empty() ? std::optional(last.front().update) : std::nullopt;
}

std::string what_there_is(const Manifest& manifest, const Checkpoints& checkpoints) {
  std::vector<std::string> names;
  const std::string& chosen = manifest.origin.chosen;
  if (!chosen.empty()) names.push_back(chosen);
  const auto infos = checkpoints.list();
  if (checkpoints.best() && chosen != "best") names.emplace_back("best");
  if (!infos.empty() && chosen != "last") names.emplace_back("last");
  for (const auto& info : infos) names.push_back(std::to_string(info.update));
  return names.empty() ? "no checkpoint exists yet" : c10::str("there are ", c10::Join(", ", names));
}

}  // namespace

RunDirectory::RunDirectory(std::string path)
    : path_(std::move(path)),
      made_(path_, path_),
      lock_(std::make_unique<DirectoryLock>(path_)),
      fresh_(is_empty(path_)),
      checkpoints_(path_ + "/" + kCheckpointsDirectory) {
  checkpoints_.clean();
  remove_abandoned_in(path_);
  if (!fs::exists(file("manifest.json"))) return;
  remove_leftovers(path_);
  manifest_ = read_manifest(path_);
  settle(path_, manifest_);
}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  if (!fresh_ || !manifest_.files.empty() || fs::exists(checkpoints_.directory(), ignored)) return;
  fs::remove(file(kLock), ignored);
}

void RunDirectory::discard() {
  if (!fresh_ || !lock_->in_place()) return;
  std::error_code ignored;  // the error that made the run useless is the one to report
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(path_, ignored), end; entry != end; entry.increment(ignored)) {
    if (is_of_run(entry->path().filename().string())) entries.push_back(entry->path());
  }
  for (const fs::path& entry : entries) fs::remove_all(entry, ignored);
  manifest_ = {};
}

void RunDirectory::require_in_place() const {
  const bool emptied = !manifest_.files.empty() && !fs::exists(file("manifest.json"));
  if (lock_->in_place() && !emptied) return;
  throw DirectoryMoved(c10::str(path_,
                                ": was moved or removed during the training, which stops here; what was saved is ",
                                "where the directory is now"));
}

std::string RunDirectory::file(std::string_view name) const { return c10::str(path_, "/", name); }

void RunDirectory::describe_run(uint64_t seed, const std::map<std::string, std::string>& corpus,
                                std::optional<int64_t> usual_source_length, const std::string& folder) {
  require_in_place();
  manifest_.seed = seed;
  manifest_.corpus = corpus;
  manifest_.folder = folder;
  manifest_.usual_source_length = usual_source_length;
  write_manifest(path_, manifest_);
}

void RunDirectory::describe_lengths(int64_t usual_source_length) {
  if (manifest_.usual_source_length == usual_source_length) return;
  require_in_place();
  manifest_.usual_source_length = usual_source_length;
  write_manifest(path_, manifest_);
}

void RunDirectory::write(const std::string& name, std::string_view content) {
  require_in_place();
  const std::string replacement = file(name) + kReplacement;
  write_file(replacement, content);
  replace_file(path_, manifest_, name, replacement);
}

void RunDirectory::remove(const std::string& name) {
  require_in_place();
  remove_file(path_, manifest_, name);
}

void RunDirectory::write_model(const NamedTensors& tensors, const ModelOrigin& origin, const Metadata& metadata) {
  require_in_place();
  require_space(path_, bytes_of(tensors), kPublishedModel);
  const std::string replacement = file(kPublishedModel) + kReplacement;
  write_tensors(replacement, tensors, metadata);
  replace_file(path_, manifest_, kPublishedModel, replacement, origin);
}

std::string pick_checkpoint(const std::string& model, const std::string& checkpoint) {
  if (const auto finished = checkpoint.empty() ? finished_model(model) : std::nullopt) return *finished;
  Manifest manifest = read_model_manifest(model);
  const Checkpoints checkpoints(model + "/checkpoints");
  const std::string chosen = model + "/" + kPublishedModel;
  const ModelOrigin& origin = manifest.origin;
  const auto update = update_for(checkpoints, checkpoint);
  // A resumed training may have a newer "best" or "last" than the finished model.
  const bool outdated = update && origin.updates != std::vector{*update};
  if (!checkpoint.empty() && checkpoint == origin.chosen && !outdated && fs::is_regular_file(chosen)) {
    verify_files(model, manifest, Verify::Checksums);
    return chosen;
  }
  if (!update) {
    const std::string wanted = checkpoint.empty() ? "no finished model" : c10::str("no checkpoint `", checkpoint, "`");
    throw CheckpointError(model, c10::str("has ", wanted, "; ", what_there_is(manifest, checkpoints)));
  }
  manifest.files.erase(kPublishedModel);  // this file is not used
  verify_files(model, manifest, Verify::Checksums);
  const std::string directory = checkpoints.path(*update);
  verify_files(directory, read_manifest(directory), Verify::Checksums);
  return checkpoints.model_path(*update);
}

}  // namespace heed::checkpoint
