#include "heed_torch/training/checkpoint_store.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/averaging.h"
#include "heed_torch/nn/lora.h"

namespace heed::training {

using checkpoint::CheckpointInfo;
using checkpoint::NamedTensors;

/// The mean of several checkpoints.
struct CheckpointStore::Averaged {
  Candidate candidate;
  NamedTensors tensors;
};

namespace {

// Prefix of LoRA's own tensors (nn::is_of_lora). The checkpoint's model is the ordinary one, with LoRA merged into it.
constexpr std::string_view kAdapter = "adapter/";
constexpr std::string_view kCarried = "carried/";  // prefix of the carried states

/// The tensors whose names have this prefix; the keys of the result are the names without it.
NamedTensors behind(std::string_view beginning, const NamedTensors& tensors) {
  NamedTensors found;
  for (const auto& [name, tensor] : tensors) {
    if (name.starts_with(beginning)) found[name.substr(beginning.size())] = tensor;
  }
  return found;
}

/// The optimizer's own tensors: without those of LoRA and the carried states.
NamedTensors of_optimizer(NamedTensors saved) {
  std::erase_if(
      saved, [](const auto& entry) { return entry.first.starts_with(kAdapter) || entry.first.starts_with(kCarried); });
  return saved;
}

std::optional<double> rank_in(const Scores& scores, ValidationMetric metric) {
  const auto found = scores.find(metric_name(metric));
  if (found == scores.end() || !std::isfinite(found->second)) return std::nullopt;
  return rounded_rank(metric, rank_of(metric, found->second));
}

std::vector<CheckpointInfo> averaged_checkpoints(const TrainOptions& options,
                                                 const checkpoint::Checkpoints& checkpoints) {
  if (const auto* last = std::get_if<AverageOfLast>(&options.average)) return checkpoints.last(last->count);
  if (const auto* best = std::get_if<AverageOfBest>(&options.average)) return checkpoints.best(best->count);
  return {};
}

Candidate candidate_of(const CheckpointInfo& info) {
  return {.name = info.rank ? "best" : "last", .updates = {info.update}, .scores = info.scores};
}

/// Writes the usual length of a stream's lines so far to the manifest.
void save_source_length(const data::StreamPosition& position, checkpoint::RunDirectory& directory) {
  if (!position.lines || !position.lines->usual_source_length) return;
  directory.describe_lengths(*position.lines->usual_source_length);
}

/// Whether the model in a checkpoint is as it was written. Logs a warning if not.
bool is_undamaged(const checkpoint::Checkpoints& checkpoints, const CheckpointInfo& info) {
  try {
    checkpoints.verify_model(info.update);
    return true;
  } catch (const CheckpointError& error) {
    log_warning(fmt::format("{}; this checkpoint is passed over", error.what()));
    return false;
  }
}

}  // namespace

CheckpointStore::CheckpointStore(checkpoint::RunDirectory& directory, models::Model& model, Optimizer& optimizer,
                                 const TrainOptions& options, ValidationMetric metric)
    : directory_(directory), model_(model), optimizer_(optimizer), options_(options), metric_(metric) {}

std::optional<Resumed> CheckpointStore::resume() {
  const auto latest = directory_.checkpoints().load_latest();
  if (!latest) return std::nullopt;
  const std::string path = directory_.checkpoints().path(latest->info.update);
  NamedTensors model = latest->model;
  model.merge(behind(kAdapter, latest->optimizer));
  checkpoint::load_into(model_, model, path);
  optimizer_.load(latest->optimizer, path);
  TrainingState state = read_state(latest->state, path + "/state.json");
  state.carried = behind(kCarried, latest->optimizer);
  save_source_length(state.position, directory_);
  return Resumed{.state = std::move(state),
                 .scores = latest->info.scores,
                 .scheduled = latest->info.scheduled,
                 .optimizer = of_optimizer(latest->optimizer)};
}

void CheckpointStore::save(const TrainingState& state, const Scores& scores, const SaveReason& occasion,
                           const Announce& announce) {
  directory_.require_in_place();
  const CheckpointInfo info{.update = std::llround(state.progress.updates),
                            .scores = scores,
                            .rank = rank_in(scores, metric_),
                            .scheduled = occasion.scheduled,
                            .scored_off_schedule = occasion.scored_off_schedule,
                            .era = era_};
  const checkpoint::Checkpoints& checkpoints = directory_.checkpoints();
  auto optimizer = optimizer_.state();
  for (const auto& [name, tensor] : state.carried) optimizer[std::string(kCarried) + name] = tensor;
  nn::merge_lora(model_);
  NamedTensors model = checkpoint::named_tensors(model_);
  for (const auto& [name, tensor] : model) {
    if (nn::is_of_lora(name)) optimizer[std::string(kAdapter) + name] = tensor;
  }
  std::erase_if(model, [](const auto& entry) { return nn::is_of_lora(entry.first); });
  checkpoints.save(
      {.info = info, .model = std::move(model), .optimizer = std::move(optimizer), .state = to_json(state)},
      [&] { announce(checkpoints.path(info.update)); });
  save_source_length(state.position, directory_);
  const auto* best = std::get_if<AverageOfBest>(&options_.average);
  const auto* last = std::get_if<AverageOfLast>(&options_.average);
  checkpoints.prune(std::max(options_.keep_best, best ? best->count : 0),
                    std::max(options_.keep_last, last ? last->count : 0));
}

CheckpointInfo CheckpointStore::best_or_last() const {
  const checkpoint::Checkpoints& checkpoints = directory_.checkpoints();
  std::vector<CheckpointInfo> candidates = checkpoints.ranked();
  const std::vector<CheckpointInfo> all = checkpoints.list();
  std::copy_if(all.rbegin(), all.rend(), std::back_inserter(candidates), [](const auto& info) { return !info.rank; });
  const auto first = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const auto& info) { return is_undamaged(checkpoints, info); });
  if (first == candidates.end()) throw CheckpointError(checkpoints.directory(), "holds no undamaged checkpoint");
  return *first;
}

void CheckpointStore::publish(const Candidate& candidate, const NamedTensors& tensors) {
  directory_.write_model(
      tensors, {.chosen = candidate.name, .updates = candidate.updates, .scores = candidate.scores, .era = era_});
}

void CheckpointStore::write_best_model() {
  directory_.require_in_place();
  const auto best = directory_.checkpoints().best();
  const checkpoint::ModelOrigin& published = directory_.manifest().origin;
  if (best && published.chosen == "best" && published.updates == std::vector{best->update}) return;
  const bool unjudged = best && best->era != era_;  // no score of this era says which one is better
  if (unjudged && !published.chosen.empty()) return;
  const bool compares = published.chosen == "averaged" && published.era == era_;
  if (compares && best && better(published.scores, best->scores)) return;
  const CheckpointInfo info = best_or_last();
  publish(candidate_of(info), checkpoint::read_tensors(directory_.checkpoints().model_path(info.update)).tensors);
}

std::optional<CheckpointStore::Averaged> CheckpointStore::average(const ScoreModel& score) {
  const checkpoint::Checkpoints& checkpoints = directory_.checkpoints();
  auto infos = averaged_checkpoints(options_, checkpoints);
  std::erase_if(infos, [&](const CheckpointInfo& info) { return !is_undamaged(checkpoints, info); });
  if (infos.size() < 2) return std::nullopt;
  Averaged averaged{.candidate = {.name = "averaged", .updates = {}, .scores = {}}, .tensors = {}};
  std::vector<std::string> paths;
  for (const CheckpointInfo& info : infos) {
    averaged.candidate.updates.push_back(info.update);
    paths.push_back(checkpoints.model_path(info.update));
  }
  averaged.tensors = checkpoint::average_tensors(paths);
  checkpoint::load_into(model_, averaged.tensors, "the average");
  if (score) averaged.candidate.scores = score();
  return averaged;
}

bool CheckpointStore::better(const Scores& scores, const Scores& than) const {
  const CheckpointInfo one{.scores = scores, .rank = rank_in(scores, metric_)};
  const CheckpointInfo other{.scores = than, .rank = rank_in(than, metric_)};
  if (!one.rank) return scores.empty() && than.empty();
  return !other.rank || is_better(one, other);
}

FinalReport CheckpointStore::finish(const ScoreModel& score) {
  directory_.require_in_place();
  const CheckpointInfo info = best_or_last();
  const Candidate best = candidate_of(info);
  FinalReport report{.progress = Progress{}, .chosen = best.name, .candidates = {best}, .metric = metric_name(metric_)};
  const auto averaged = average(score);
  if (averaged) report.candidates.push_back(averaged->candidate);
  if (averaged && better(averaged->candidate.scores, best.scores)) {
    report.chosen = averaged->candidate.name;
    publish(averaged->candidate, averaged->tensors);
  } else {
    const std::string path = directory_.checkpoints().model_path(info.update);
    const NamedTensors tensors = checkpoint::read_tensors(path).tensors;
    checkpoint::load_into(model_, tensors, path);
    publish(best, tensors);
  }
  return report;
}

}  // namespace heed::training
