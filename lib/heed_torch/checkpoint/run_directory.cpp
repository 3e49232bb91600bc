#include "heed_torch/checkpoint/run_directory.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/temporary_name.h"
#include "heed/core/log.h"
#include "heed/model_directory/settle.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReplacement = ".new";

// Endings of hidden checkpoints.
constexpr const char* kBeingWritten = ".tmp";
constexpr const char* kBeingReplaced = ".old";
constexpr const char* kBeingRemoved = ".removed";
constexpr const char* kDamaged = ".damaged";

constexpr const char* kLock = ".lock";

/// Whether a run writes a file or directory of this name. Everything else in the directory belongs to the user.
bool is_of_run(const std::string& name) {
  static const std::regex names(
      R"((config\.toml|manifest\.json|metrics\.jsonl|report\.html|overlap\.json|model\.safetensors|checkpoints|)"
      R"((source|target)\.[a-z]+|(train|valid)\.(corpus|text|vectors)(\..+)?|valid\.(references|translations)|\..*\.heed[0-9]*\.tmp))");
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

/// Finishes or removes what an interrupted save or prune of a checkpoint left.
void clean_checkpoints(const std::string& model) {
  const std::string directory = checkpoints_path(model);
  if (!fs::is_directory(directory)) return;
  std::vector<fs::path> hidden;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().filename().string().starts_with(".")) hidden.push_back(entry.path());
  }
  for (const fs::path& leftover : hidden) {
    const auto step = checkpoint_step(leftover.stem().string().substr(1));
    const std::string ending = leftover.extension().string();
    if (!step) continue;
    if (ending == kBeingReplaced && !fs::exists(checkpoint_path(model, *step))) {
      fs::rename(leftover, checkpoint_path(model, *step));
    } else if (ending == kBeingReplaced || ending == kBeingWritten || ending == kBeingRemoved) {
      fs::remove_all(leftover);
    }
  }
}

void write_checkpoint(const std::string& directory, const Checkpoint& checkpoint) {
  const CheckpointInfo& info = checkpoint.info;
  write_tensors(directory + "/" + kModelFile, checkpoint.model, {{"update", std::to_string(info.step)}});
  write_tensors(directory + "/" + kOptimizerFile, checkpoint.optimizer);
  write_file(directory + "/" + kStateFile, checkpoint.state);
  Manifest manifest;
  manifest.origin = {.chosen = "checkpoint", .steps = {info.step}, .scores = info.scores};
  manifest.comparable_score = info.comparable_score;
  manifest.scheduled = info.scheduled;
  manifest.scored_off_schedule = info.scored_off_schedule;
  for (const char* name : {kModelFile, kOptimizerFile, kStateFile}) {
    manifest.files[name] = record_of(directory + "/" + name);
  }
  write_manifest(directory, manifest);
  sync_directory(directory);
}

std::string megabytes(uint64_t bytes) { return c10::str(bytes / 1'000'000, ".", bytes / 100'000 % 10); }

/// Throws Error, naming both sizes, unless the disk of `directory` has space for `bytes` and a reserve of 1 MiB.
void require_space(const std::string& directory, int64_t bytes, const std::string& what) {
  constexpr int64_t kReserve = 1 << 20;
  std::error_code refused;
  const auto space = fs::space(directory, refused);
  if (refused) return;  // writing will report the error
  if (space.available >= static_cast<uint64_t>(bytes + kReserve)) return;
  throw Error(c10::str(directory, ": not enough space for ", what, ": it takes ",
                       megabytes(static_cast<uint64_t>(bytes)), " MB and ", megabytes(kReserve), " MB must stay free; ",
                       megabytes(space.available), " MB are free"));
}

}  // namespace

RunDirectory::RunDirectory(std::string path)
    : path_(std::move(path)),
      made_(path_, path_),
      lock_(std::make_unique<DirectoryLock>(path_)),
      fresh_(is_empty(path_)) {
  clean_checkpoints(path_);
  remove_abandoned_in(path_);
  if (!fs::exists(file("manifest.json"))) return;
  remove_leftovers(path_);
  manifest_ = read_manifest(path_);
  settle(path_, manifest_);
}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  if (!fresh_ || !manifest_.files.empty() || fs::exists(checkpoints_path(path_), ignored)) return;
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
  if (usual_source_length) manifest_.usual_source_length = usual_source_length;
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

std::string RunDirectory::hidden_checkpoint(int64_t step, const char* ending) const {
  const fs::path shown = checkpoint_path(path_, step);
  return c10::str(checkpoints_path(path_), "/.", shown.filename().string(), ending);
}

void RunDirectory::save_checkpoint(const Checkpoint& checkpoint, const std::function<void()>& before_commit) const {
  const int64_t step = checkpoint.info.step;
  check(step >= 0, "a checkpoint of a negative step");
  require_in_place();
  const std::string directory = checkpoints_path(path_);
  fs::create_directory(directory);
  const int64_t bytes =
      bytes_of(checkpoint.model) + bytes_of(checkpoint.optimizer) + static_cast<int64_t>(checkpoint.state.size());
  require_space(directory, bytes, c10::str("the checkpoint of step ", step));
  const std::string written = hidden_checkpoint(step, kBeingWritten);
  const std::string replaced = hidden_checkpoint(step, kBeingReplaced);
  fs::remove_all(written);
  fs::create_directory(written);
  try {
    write_checkpoint(written, checkpoint);
    before_commit();
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(written, ignored);
    throw;
  }
  const std::string path = checkpoint_path(path_, step);
  if (fs::exists(path)) {
    fs::remove_all(replaced);
    fs::rename(path, replaced);
  }
  fs::rename(written, path);
  sync_directory(directory);
  fs::remove_all(replaced);
}

std::optional<Checkpoint> RunDirectory::load_latest_checkpoint() const {
  const std::vector<CheckpointInfo> infos = list_checkpoints(path_);
  std::vector<int64_t> damaged;
  for (auto info = infos.rbegin(); info != infos.rend(); ++info) {
    try {
      Checkpoint latest = load_checkpoint(path_, info->step);
      for (const int64_t step : damaged) rename_damaged(step);
      return latest;
    } catch (const CheckpointError& error) {
      log_warning(c10::str(error.what(), "; resuming from the checkpoint before it"));
      damaged.push_back(info->step);
    }
  }
  if (has_checkpoints(path_)) {
    throw CheckpointError(checkpoints_path(path_),
                          "all checkpoints are damaged; restore one, or train in another directory");
  }
  return std::nullopt;
}

/// A damaged checkpoint must not stay: those made from here on would seem older than it.
void RunDirectory::rename_damaged(int64_t step) const {
  const std::string renamed = hidden_checkpoint(step, kDamaged);
  fs::remove_all(renamed);
  fs::rename(checkpoint_path(path_, step), renamed);
}

void RunDirectory::prune_checkpoints(int64_t keep_best, int64_t keep_last) const {
  const std::vector<CheckpointInfo> infos = list_checkpoints(path_);
  std::vector<CheckpointInfo> scheduled = infos;
  std::erase_if(scheduled, [](const auto& info) { return !info.scheduled; });
  std::vector<CheckpointInfo> lasting = scheduled;  // those whose scores count even if others are newer
  std::erase_if(lasting, [](const auto& info) { return info.scored_off_schedule; });
  std::set<int64_t> kept;
  for (const auto& some : {best_of(lasting, keep_best), last_of(scheduled, keep_last), last_of(infos, 1)}) {
    for (const auto& info : some) kept.insert(info.step);
  }
  for (const auto& info : infos) {
    if (kept.contains(info.step)) continue;
    const std::string removed = hidden_checkpoint(info.step, kBeingRemoved);
    fs::remove_all(removed);
    fs::rename(checkpoint_path(path_, info.step), removed);  // hidden first: whatever is listed is whole
    fs::remove_all(removed);
  }
}

}  // namespace heed::checkpoint
