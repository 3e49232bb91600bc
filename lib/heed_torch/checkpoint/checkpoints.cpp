#include "heed_torch/checkpoint/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <string_view>

#include <ATen/ATen.h>
#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"
#include "heed/model_directory/manifest.h"
#include "heed_torch/checkpoint/disk_space.h"
#include "heed_torch/checkpoint/tensor_file.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "model.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";
constexpr const char* kBeingWritten = ".tmp";
constexpr const char* kBeingReplaced = ".old";
constexpr const char* kBeingRemoved = ".removed";
constexpr const char* kDamaged = ".damaged";

std::string name_of(int64_t update) {
  const std::string digits = std::to_string(update);
  return std::string(digits.size() < 7 ? 7 - digits.size() : 0, '0') + digits;
}

std::optional<int64_t> update_named(std::string_view name) {
  int64_t update = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), update);
  if (error != std::errc() || end != name.data() + name.size() || update < 0 || name_of(update) != name)
    return std::nullopt;
  return update;
}

CheckpointInfo info_of(const Manifest& manifest, int64_t update) {
  return {.update = update,
          .scores = manifest.origin.scores,
          .rank = manifest.rank,
          .scheduled = manifest.scheduled,
          .scored_off_schedule = manifest.scored_off_schedule,
          .era = manifest.origin.era};
}

void write_files(const std::string& directory, const Checkpoint& checkpoint) {
  write_tensors(directory + "/" + kModel, checkpoint.model, {{"update", std::to_string(checkpoint.info.update)}});
  write_tensors(directory + "/" + kOptimizer, checkpoint.optimizer);
  write_file(directory + "/" + kState, checkpoint.state);
  Manifest manifest;
  manifest.origin = {.chosen = "checkpoint",
                     .updates = {checkpoint.info.update},
                     .scores = checkpoint.info.scores,
                     .era = checkpoint.info.era};
  manifest.rank = checkpoint.info.rank;
  manifest.scheduled = checkpoint.info.scheduled;
  manifest.scored_off_schedule = checkpoint.info.scored_off_schedule;
  for (const char* name : {kModel, kOptimizer, kState}) manifest.files[name] = record_of(directory + "/" + name);
  write_manifest(directory, manifest);
  sync_directory(directory);
}

std::vector<CheckpointInfo> oldest_first(std::vector<CheckpointInfo> infos) {
  std::sort(infos.begin(), infos.end(), [](const auto& a, const auto& b) { return a.update < b.update; });
  return infos;
}

/// Removes the ranks of scores that do not count any more, and the scores of checkpoints scored off schedule.
void forget_passed_scores(std::vector<CheckpointInfo>& infos) {
  for (size_t i = 0; i + 1 < infos.size(); ++i) {
    if (!infos[i].scored_off_schedule) continue;
    infos[i].rank.reset();
    infos[i].scores.clear();
  }
  const auto newest =
      std::find_if(infos.rbegin(), infos.rend(), [](const auto& info) { return info.rank.has_value(); });
  if (newest == infos.rend()) return;
  const int64_t era = newest->era;
  for (CheckpointInfo& info : infos) {
    if (info.era != era) info.rank.reset();
  }
}

std::vector<CheckpointInfo> ranked_of(std::vector<CheckpointInfo> infos) {
  std::erase_if(infos, [](const auto& info) { return !info.rank; });
  std::stable_sort(infos.begin(), infos.end(), is_better);
  return infos;
}

std::vector<CheckpointInfo> best_of(std::vector<CheckpointInfo> infos, int64_t count) {
  infos = ranked_of(std::move(infos));
  if (static_cast<int64_t>(infos.size()) > count) infos.resize(static_cast<size_t>(count));
  return oldest_first(std::move(infos));
}

std::vector<CheckpointInfo> last_of(std::vector<CheckpointInfo> infos, int64_t count) {
  const auto surplus = std::max<int64_t>(0, static_cast<int64_t>(infos.size()) - count);
  infos.erase(infos.begin(), infos.begin() + surplus);
  return infos;
}

}  // namespace

double CheckpointInfo::loss() const {
  const auto found = scores.find("loss");
  return found == scores.end() || std::isnan(found->second) ? std::numeric_limits<double>::infinity() : found->second;
}

bool is_better(const CheckpointInfo& one, const CheckpointInfo& other) {
  return *one.rank != *other.rank ? *one.rank > *other.rank : one.loss() < other.loss();
}

std::string Checkpoints::path(int64_t update) const { return directory_ + "/" + name_of(update); }

void Checkpoints::save(const Checkpoint& checkpoint, const std::function<void()>& before_commit) const {
  const int64_t update = checkpoint.info.update;
  check(update >= 0, "a checkpoint of a negative step");
  fs::create_directory(directory_);  // never creates the model directory: if that is missing, it was moved
  const int64_t bytes =
      bytes_of(checkpoint.model) + bytes_of(checkpoint.optimizer) + static_cast<int64_t>(checkpoint.state.size());
  require_space(directory_, bytes, c10::str("the checkpoint of step ", update));
  const std::string hidden = directory_ + "/." + name_of(update);
  fs::remove_all(hidden + kBeingWritten);
  fs::create_directory(hidden + kBeingWritten);
  try {
    write_files(hidden + kBeingWritten, checkpoint);
    before_commit();
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(hidden + kBeingWritten, ignored);
    throw;
  }
  if (fs::exists(path(update))) {
    fs::remove_all(hidden + kBeingReplaced);
    fs::rename(path(update), hidden + kBeingReplaced);
  }
  fs::rename(hidden + kBeingWritten, path(update));
  sync_directory(directory_);
  fs::remove_all(hidden + kBeingReplaced);
}

Checkpoint Checkpoints::load(int64_t update) const {
  const std::string directory = path(update);
  if (!fs::exists(directory)) throw CheckpointError(directory, "does not exist");
  const Manifest manifest = read_manifest(directory);
  for (const char* name : {kModel, kOptimizer, kState}) {
    if (!manifest.files.contains(name))
      throw CheckpointError(directory, c10::str("is damaged: its manifest does not list ", name));
  }
  verify_files(directory, manifest, Verify::Checksums);
  return {.info = info_of(manifest, update),
          .model = read_tensors(directory + "/" + kModel).tensors,
          .optimizer = read_tensors(directory + "/" + kOptimizer).tensors,
          .state = read_regular_file(directory + "/" + kState)};
}

std::optional<Checkpoint> Checkpoints::load_latest() const {
  const std::vector<CheckpointInfo> infos = list();
  std::vector<int64_t> damaged;
  for (auto info = infos.rbegin(); info != infos.rend(); ++info) {
    try {
      Checkpoint latest = load(info->update);
      for (const int64_t update : damaged) put_aside(update);
      return latest;
    } catch (const CheckpointError& error) {
      log_warning(c10::str(error.what(), "; resuming from the checkpoint before it"));
      damaged.push_back(info->update);
    }
  }
  if (any()) {
    throw CheckpointError(directory_, "all checkpoints are damaged; restore one, or train in another directory");
  }
  return std::nullopt;
}

/// A damaged checkpoint must not stay: those made from here on would seem older than it.
void Checkpoints::put_aside(int64_t update) const {
  const std::string aside = directory_ + "/." + name_of(update) + kDamaged;
  fs::remove_all(aside);
  fs::rename(path(update), aside);
}

void Checkpoints::verify_model(int64_t update) const {
  Manifest manifest = read_manifest(path(update));
  std::erase_if(manifest.files, [](const auto& file) { return file.first != kModel; });
  if (manifest.files.empty()) throw CheckpointError(path(update), "is damaged: its manifest lists no model");
  verify_files(path(update), manifest, Verify::Checksums);
}

bool Checkpoints::any() const {
  if (!fs::is_directory(directory_)) return false;
  const fs::directory_iterator entries(directory_);
  return std::any_of(begin(entries), end(entries),
                     [](const auto& entry) { return update_named(entry.path().filename().string()).has_value(); });
}

std::vector<CheckpointInfo> Checkpoints::list() const {
  std::vector<CheckpointInfo> infos;
  if (!fs::is_directory(directory_)) return infos;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    const auto update = update_named(entry.path().filename().string());
    if (!update) continue;
    try {
      infos.push_back(info_of(read_manifest(entry.path()), *update));
    } catch (const FileError&) {
      if (fs::exists(entry.path())) throw;  // otherwise a training has removed it
    } catch (const Error& error) {
      if (fs::exists(entry.path())) log_warning(c10::str(error.what(), "; this checkpoint is passed over"));
    }
  }
  infos = oldest_first(std::move(infos));
  forget_passed_scores(infos);
  return infos;
}

std::vector<CheckpointInfo> Checkpoints::candidates() const {
  std::vector<CheckpointInfo> infos = list();
  const int64_t newest = infos.empty() ? 0 : infos.back().update;
  std::erase_if(infos, [&](const auto& info) { return !info.scheduled && info.update != newest; });
  return infos;
}

std::optional<CheckpointInfo> Checkpoints::best() const {
  const std::vector<CheckpointInfo> one = best(1);
  return one.empty() ? std::nullopt : std::optional(one.front());
}

std::vector<CheckpointInfo> Checkpoints::ranked() const { return ranked_of(candidates()); }

std::vector<CheckpointInfo> Checkpoints::best(int64_t count) const { return best_of(candidates(), count); }

std::vector<CheckpointInfo> Checkpoints::last(int64_t count) const { return last_of(candidates(), count); }

void Checkpoints::prune(int64_t keep_best, int64_t keep_last) const {
  const std::vector<CheckpointInfo> infos = list();
  std::vector<CheckpointInfo> scheduled = infos;
  std::erase_if(scheduled, [](const auto& info) { return !info.scheduled; });
  std::vector<CheckpointInfo> lasting = scheduled;  // those whose scores count even if others are newer
  std::erase_if(lasting, [](const auto& info) { return info.scored_off_schedule; });
  std::set<int64_t> kept;
  for (const auto& some : {best_of(lasting, keep_best), last_of(scheduled, keep_last), last_of(infos, 1)}) {
    for (const auto& info : some) kept.insert(info.update);
  }
  for (const auto& info : infos) {
    if (kept.contains(info.update)) continue;
    const std::string removed = directory_ + "/." + name_of(info.update) + kBeingRemoved;
    fs::remove_all(removed);
    fs::rename(path(info.update), removed);  // hidden first: whatever is listed is whole
    fs::remove_all(removed);
  }
}

void Checkpoints::clean() const {
  if (!fs::is_directory(directory_)) return;
  std::vector<fs::path> hidden;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    if (entry.path().filename().string().starts_with(".")) hidden.push_back(entry.path());
  }
  for (const fs::path& leftover : hidden) {
    const auto update = update_named(leftover.stem().string().substr(1));
    const std::string ending = leftover.extension().string();
    if (!update) continue;
    if (ending == kBeingReplaced && !fs::exists(path(*update))) {
      fs::rename(leftover, path(*update));
    } else if (ending == kBeingReplaced || ending == kBeingWritten || ending == kBeingRemoved) {
      fs::remove_all(leftover);
    }
  }
}

}  // namespace heed::checkpoint
