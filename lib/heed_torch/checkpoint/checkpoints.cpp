#include "heed_torch/checkpoint/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"
#include "heed/core/parsed_number.h"
#include "heed_torch/checkpoint/tensor_file.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

std::string name_of(int64_t step) {
  const std::string digits = std::to_string(step);
  return std::string(digits.size() < 7 ? 7 - digits.size() : 0, '0') + digits;
}

CheckpointInfo info_of(const Manifest& manifest, int64_t step) {
  return {.step = step,
          .scores = manifest.origin.scores,
          .comparable_score = manifest.comparable_score,
          .scheduled = manifest.scheduled,
          .scored_off_schedule = manifest.scored_off_schedule};
}

std::vector<CheckpointInfo> oldest_first(std::vector<CheckpointInfo> infos) {
  std::sort(infos.begin(), infos.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return infos;
}

/// Removes the comparable scores that do not count any more, and the scores of checkpoints scored off schedule.
void forget_passed_scores(std::vector<CheckpointInfo>& infos) {
  for (size_t i = 0; i + 1 < infos.size(); ++i) {
    if (!infos[i].scored_off_schedule) continue;
    infos[i].comparable_score.reset();
    infos[i].scores.by_name.clear();
  }
  const auto newest =
      std::find_if(infos.rbegin(), infos.rend(), [](const auto& info) { return info.comparable_score.has_value(); });
  if (newest == infos.rend()) return;
  const int64_t version = newest->scores.version;
  for (CheckpointInfo& info : infos) {
    if (info.scores.version != version) info.comparable_score.reset();
  }
}

/// The step in the directory that `name` means.
std::optional<int64_t> step_for(const std::string& model, const std::string& name) {
  if (name == "best") {
    const auto best = best_checkpoint(model);
    return best ? std::optional(best->step) : std::nullopt;
  }
  const auto wanted = parsed_number<int64_t>(name);
  for (const CheckpointInfo& info : list_checkpoints(model)) {
    if (wanted && info.step == *wanted) return info.step;
  }
  const auto last = last_of(candidates(model), 1);
  return name == "last" && !last.empty() ? std::optional(last.front().step) : std::nullopt;
}

/// The values of `--checkpoint` that the directory has.
std::vector<std::string> checkpoint_names(const std::string& model, const Manifest& manifest) {
  std::vector<std::string> names;
  const std::string& chosen = manifest.origin.chosen;
  if (!chosen.empty()) names.push_back(chosen);
  const auto infos = list_checkpoints(model);
  if (best_checkpoint(model) && chosen != "best") names.emplace_back("best");
  if (!infos.empty() && chosen != "last") names.emplace_back("last");
  for (const auto& info : infos) names.push_back(std::to_string(info.step));
  return names;
}

std::string what_there_is(const std::string& model, const Manifest& manifest) {
  const auto names = checkpoint_names(model, manifest);
  return names.empty() ? "no checkpoint exists yet" : c10::str("there are ", c10::Join(", ", names));
}

/// Why there is no model, and which checkpoints can be tried.
std::string why_no_model(const std::string& model, const Manifest& manifest) {
  const auto names = checkpoint_names(model, manifest);
  if (names.empty() || !manifest.origin.chosen.empty()) {
    return "has no finished model; " + what_there_is(model, manifest);
  }
  const std::vector<std::string> others(names.begin() + 1, names.end());
  return c10::str("the training has not ended, so there is no model yet; to try a checkpoint: `--checkpoint ", names[0],
                  "` (or ", c10::Join(", ", others), ")");
}

}  // namespace

double CheckpointInfo::loss() const {
  const auto found = scores.by_name.find("loss");
  const bool known = found != scores.by_name.end() && !std::isnan(found->second);
  return known ? found->second : std::numeric_limits<double>::infinity();
}

bool is_better(const CheckpointInfo& one, const CheckpointInfo& other) {
  if (*one.comparable_score != *other.comparable_score) return *one.comparable_score > *other.comparable_score;
  return one.loss() < other.loss();
}

std::string checkpoints_path(const std::string& model) { return model + "/checkpoints"; }

std::string checkpoint_path(const std::string& model, int64_t step) {
  return checkpoints_path(model) + "/" + name_of(step);
}

std::string checkpoint_model_path(const std::string& model, int64_t step) {
  return checkpoint_path(model, step) + "/" + kModelFile;
}

std::optional<int64_t> checkpoint_step(std::string_view name) {
  int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc() || end != name.data() + name.size() || step < 0 || name_of(step) != name)
    return std::nullopt;
  return step;
}

bool has_checkpoints(const std::string& model) {
  const std::string directory = checkpoints_path(model);
  if (!fs::is_directory(directory)) return false;
  const fs::directory_iterator entries(directory);
  return std::any_of(begin(entries), end(entries),
                     [](const auto& entry) { return checkpoint_step(entry.path().filename().string()).has_value(); });
}

std::vector<CheckpointInfo> list_checkpoints(const std::string& model) {
  std::vector<CheckpointInfo> infos;
  const std::string directory = checkpoints_path(model);
  if (!fs::is_directory(directory)) return infos;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const auto step = checkpoint_step(entry.path().filename().string());
    if (!step) continue;
    try {
      infos.push_back(info_of(read_manifest(entry.path()), *step));
    } catch (const FileError&) {
      if (fs::exists(entry.path())) throw;  // otherwise a training has removed it
    } catch (const Error& error) {
      if (fs::exists(entry.path())) log_warning(c10::str(error.what(), "; this checkpoint is skipped"));
    }
  }
  infos = oldest_first(std::move(infos));
  forget_passed_scores(infos);
  return infos;
}

std::vector<CheckpointInfo> candidates(const std::string& model) {
  std::vector<CheckpointInfo> infos = list_checkpoints(model);
  const int64_t newest = infos.empty() ? 0 : infos.back().step;
  std::erase_if(infos, [&](const auto& info) { return !info.scheduled && info.step != newest; });
  return infos;
}

std::optional<CheckpointInfo> best_checkpoint(const std::string& model) {
  const std::vector<CheckpointInfo> ranked = best_first(candidates(model));
  return ranked.empty() ? std::nullopt : std::optional(ranked.front());
}

std::vector<CheckpointInfo> best_first(std::vector<CheckpointInfo> infos) {
  std::erase_if(infos, [](const auto& info) { return !info.comparable_score; });
  std::stable_sort(infos.begin(), infos.end(), is_better);
  return infos;
}

std::vector<CheckpointInfo> best_of(std::vector<CheckpointInfo> infos, int64_t count) {
  infos = best_first(std::move(infos));
  if (static_cast<int64_t>(infos.size()) > count) infos.resize(static_cast<size_t>(count));
  return oldest_first(std::move(infos));
}

std::vector<CheckpointInfo> last_of(std::vector<CheckpointInfo> infos, int64_t count) {
  const auto surplus = std::max<int64_t>(0, static_cast<int64_t>(infos.size()) - count);
  infos.erase(infos.begin(), infos.begin() + surplus);
  return infos;
}

Checkpoint load_checkpoint(const std::string& model, int64_t step) {
  const std::string directory = checkpoint_path(model, step);
  if (!fs::exists(directory)) throw CheckpointError(directory, "does not exist");
  const Manifest manifest = read_manifest(directory);
  for (const char* name : {kModelFile, kOptimizerFile, kStateFile}) {
    if (!manifest.files.contains(name))
      throw CheckpointError(directory, c10::str("is damaged: its manifest does not list ", name));
  }
  verify_files(directory, manifest, Verify::Checksums);
  return {.info = info_of(manifest, step),
          .model = read_tensors(directory + "/" + kModelFile).tensors,
          .optimizer = read_tensors(directory + "/" + kOptimizerFile).tensors,
          .state = read_regular_file(directory + "/" + kStateFile)};
}

void verify_checkpoint_model(const std::string& model, int64_t step) {
  const std::string directory = checkpoint_path(model, step);
  Manifest manifest = read_manifest(directory);
  std::erase_if(manifest.files, [](const auto& file) { return file.first != kModelFile; });
  if (manifest.files.empty()) throw CheckpointError(directory, "is damaged: its manifest lists no model");
  verify_files(directory, manifest, Verify::Checksums);
}

std::string pick_checkpoint(const std::string& model, const std::string& checkpoint) {
  if (const auto finished = checkpoint.empty() ? finished_model(model) : std::nullopt) return *finished;
  Manifest manifest = read_model_manifest(model);
  const std::string chosen = model + "/" + kPublishedModel;
  const ModelOrigin& origin = manifest.origin;
  const auto step = step_for(model, checkpoint);
  // A resumed training may have a newer "best" or "last" than the finished model.
  const bool outdated = step && origin.steps != std::vector{*step};
  if (!checkpoint.empty() && checkpoint == origin.chosen && !outdated && is_regular_file(chosen)) {
    verify_files(model, manifest, Verify::Checksums);
    return chosen;
  }
  if (!step) {
    if (checkpoint.empty()) throw CheckpointError(model, why_no_model(model, manifest));
    throw CheckpointError(model, c10::str("has no checkpoint `", checkpoint, "`; ", what_there_is(model, manifest)));
  }
  manifest.files.erase(kPublishedModel);  // this file is not used
  verify_files(model, manifest, Verify::Checksums);
  const std::string directory = checkpoint_path(model, *step);
  verify_files(directory, read_manifest(directory), Verify::Checksums);
  return checkpoint_model_path(model, *step);
}

}  // namespace heed::checkpoint
