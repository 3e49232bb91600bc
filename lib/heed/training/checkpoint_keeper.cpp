#include "heed/training/checkpoint_keeper.h"

#include <algorithm>
#include <cmath>

#include "heed/checkpoint/averaging.h"
#include "heed/core/error.h"

namespace heed::training {

using checkpoint::CheckpointInfo;
using checkpoint::NamedTensors;

/// The mean of several checkpoints.
struct CheckpointKeeper::Averaged {
  Candidate candidate;
  NamedTensors tensors;
};

namespace {

std::optional<double> rank_in(const Scores& scores, ValidationMetric metric) {
  const auto found = scores.find(metric_name(metric));
  if (found == scores.end() || !std::isfinite(found->second)) return std::nullopt;
  return rank_of(metric, found->second);
}

std::vector<CheckpointInfo> averaged_checkpoints(const TrainOptions& options,
                                                 const checkpoint::Checkpoints& checkpoints, bool validated) {
  if (const auto* last = std::get_if<AverageOfLast>(&options.average)) return checkpoints.last(last->count);
  const auto* best = std::get_if<AverageOfBest>(&options.average);
  if (!best) return {};
  return validated ? checkpoints.best(best->count) : checkpoints.last(best->count);
}

}  // namespace

CheckpointKeeper::CheckpointKeeper(checkpoint::RunDirectory& directory, models::Model& model, Optimizer& optimizer,
                                   const TrainOptions& options, ValidationMetric metric)
    : directory_(directory), model_(model), optimizer_(optimizer), options_(options), metric_(metric) {}

std::optional<Resumed> CheckpointKeeper::resume() {
  const auto latest = directory_.checkpoints().load_latest();
  if (!latest) return std::nullopt;
  const std::string path = directory_.checkpoints().path(latest->info.update);
  checkpoint::load_into(model_, latest->model, path);
  optimizer_.load(latest->optimizer, path);
  return Resumed{.state = read_state(latest->state, path), .scores = latest->info.scores};
}

std::string CheckpointKeeper::save(const TrainingState& state, const Scores& scores) {
  const CheckpointInfo info{
      .update = std::llround(state.progress.updates), .scores = scores, .rank = rank_in(scores, metric_)};
  const checkpoint::Checkpoints& checkpoints = directory_.checkpoints();
  checkpoints.save({.info = info,
                    .model = checkpoint::named_tensors(model_),
                    .optimizer = optimizer_.state(),
                    .state = to_json(state)});
  const auto* best = std::get_if<AverageOfBest>(&options_.average);
  const auto* last = std::get_if<AverageOfLast>(&options_.average);
  checkpoints.prune(std::max(options_.keep_best, best ? best->count : 0),
                    std::max(options_.keep_last, last ? last->count : 0));
  return checkpoints.path(info.update);
}

std::optional<CheckpointInfo> CheckpointKeeper::best_or_last() const {
  if (const auto best = directory_.checkpoints().best()) return best;
  const auto last = directory_.checkpoints().last(1);
  return last.empty() ? std::nullopt : std::optional(last.front());
}

void CheckpointKeeper::publish(const Candidate& candidate, const NamedTensors& tensors) {
  directory_.write_model(tensors, {.chosen = candidate.name, .updates = candidate.updates, .scores = candidate.scores});
}

void CheckpointKeeper::publish_best() {
  const auto info = best_or_last();
  if (!info) return;
  const checkpoint::Manifest& published = directory_.manifest();
  if (published.chosen == "best" && published.updates == std::vector{info->update}) return;
  const Candidate candidate{.name = info->rank ? "best" : "last", .updates = {info->update}, .scores = info->scores};
  publish(candidate, checkpoint::read_tensors(directory_.checkpoints().model_path(info->update)).tensors);
}

std::optional<CheckpointKeeper::Averaged> CheckpointKeeper::average(const Validator* validator) {
  const checkpoint::Checkpoints& checkpoints = directory_.checkpoints();
  const auto infos = averaged_checkpoints(options_, checkpoints, validator != nullptr);
  if (infos.size() < 2) return std::nullopt;
  Averaged averaged{.candidate = {.name = "averaged", .updates = {}, .scores = {}}, .tensors = {}};
  std::vector<std::string> paths;
  for (const CheckpointInfo& info : infos) {
    averaged.candidate.updates.push_back(info.update);
    paths.push_back(checkpoints.model_path(info.update));
  }
  averaged.tensors = checkpoint::average_tensors(paths);
  checkpoint::load_into(model_, averaged.tensors, "the average");
  if (validator != nullptr) averaged.candidate.scores = validator->validate().scores;
  return averaged;
}

bool CheckpointKeeper::better(const Scores& scores, const Scores& than) const {
  const auto rank = rank_in(scores, metric_);
  const auto other = rank_in(than, metric_);
  if (!rank) return scores.empty() && than.empty();
  return !other || *rank > *other;
}

FinalReport CheckpointKeeper::finish(const Validator* validator) {
  const auto info = best_or_last();
  check(info.has_value(), "a training without checkpoint cannot finish");
  const Candidate best{.name = info->rank ? "best" : "last", .updates = {info->update}, .scores = info->scores};
  FinalReport report{.progress = {}, .chosen = best.name, .candidates = {best}, .metric = metric_name(metric_)};
  const auto averaged = average(validator);
  if (averaged) report.candidates.push_back(averaged->candidate);
  if (averaged && better(averaged->candidate.scores, best.scores)) {
    report.chosen = averaged->candidate.name;
    publish(averaged->candidate, averaged->tensors);
  } else {
    const std::string path = directory_.checkpoints().model_path(info->update);
    const NamedTensors tensors = checkpoint::read_tensors(path).tensors;
    checkpoint::load_into(model_, tensors, path);
    publish(best, tensors);
  }
  return report;
}

}  // namespace heed::training
