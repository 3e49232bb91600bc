#include "heed_torch/training/checkpoint_store.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/averaging.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/training/evaluation_weights.h"
#include "heed_torch/training/step/micro_batch_loss.h"

namespace heed::training {

using checkpoint::CheckpointInfo;
using checkpoint::NamedTensors;
using Json = nlohmann::ordered_json;

/// The mean of several checkpoints.
struct CheckpointStore::Averaged {
  Candidate candidate;
  NamedTensors tensors;
};

namespace {

// Prefix of LoRA's own tensors (nn::is_of_lora). The checkpoint's model is the ordinary one, with LoRA merged into it.
constexpr std::string_view kAdapter = "adapter/";
constexpr std::string_view kCarried = "carried/";  // prefix of the carried states
// Prefix of the weights that are trained, if they differ from the weights for evaluation, which are the model's.
constexpr std::string_view kTrained = "trained/";

constexpr const char* kRankZero = "rank 0";

/// The messages that rank 0 sends at the end of a training.
constexpr const char* kScore = "score";
constexpr const char* kDone = "done";

/// The tensors whose names have this prefix; the keys of the result are the names without it.
NamedTensors under_prefix(std::string_view prefix, const NamedTensors& tensors) {
  NamedTensors found;
  for (const auto& [name, tensor] : tensors) {
    if (name.starts_with(prefix)) found[name.substr(prefix.size())] = tensor;
  }
  return found;
}

/// The optimizer's own tensors: without those of LoRA and the carried states.
NamedTensors of_optimizer(NamedTensors saved) {
  std::erase_if(
      saved, [](const auto& entry) { return entry.first.starts_with(kAdapter) || entry.first.starts_with(kCarried); });
  return saved;
}

std::optional<double> comparable_score_in(const Scores& scores, ValidationMetric metric) {
  const auto found = scores.find(metric_name(metric));
  if (found == scores.end() || !std::isfinite(found->second)) return std::nullopt;
  return rounded_score(metric, comparable_score(metric, found->second));
}

/// A model with these scores, to be compared with checkpoints.
CheckpointInfo scored(const Scores& scores, ValidationMetric metric) {
  CheckpointInfo info;
  info.scores.by_name = scores;
  info.comparable_score = comparable_score_in(scores, metric);
  return info;
}

std::vector<CheckpointInfo> averaged_checkpoints(const TrainOptions& options, const std::string& model) {
  if (const auto* last = std::get_if<AverageOfLast>(&options.average)) {
    return checkpoint::last_of(checkpoint::candidates(model), last->count);
  }
  if (const auto* best = std::get_if<AverageOfBest>(&options.average)) {
    return checkpoint::best_of(checkpoint::candidates(model), best->count);
  }
  return {};
}

Candidate candidate_of(const CheckpointInfo& info) {
  return {.name = info.comparable_score ? "best" : "last", .steps = {info.step}, .scores = info.scores.by_name};
}

/// Writes the usual length of a stream's lines so far to the manifest.
void save_source_length(const data::StreamPosition& position, checkpoint::RunDirectory& directory) {
  if (!position.lines || !position.lines->usual_source_length) return;
  directory.describe_lengths(*position.lines->usual_source_length);
}

/// Whether the model in a checkpoint is as it was written. Logs a warning if not.
bool is_undamaged(const std::string& model, const CheckpointInfo& info) {
  try {
    checkpoint::verify_checkpoint_model(model, info.step);
    return true;
  } catch (const CheckpointError& error) {
    log_warning(fmt::format("{}; this checkpoint is skipped", error.what()));
    return false;
  }
}

void share(distributed::RankGroup& ranks, const Tensor& tensor) {
  const Tensor values = tensor.detach().contiguous();
  ranks.broadcast(values);
  if (!values.is_alias_of(tensor)) tensor.detach().copy_(values);
}

std::string to_text(const std::optional<Resumed>& resumed) {
  if (!resumed) return {};
  const TrainingState& state = resumed->state;
  return Json{{"state", to_json(state)}, {"scores", state.scores.by_name}, {"scheduled", resumed->scheduled}}.dump();
}

Resumed from_text(const std::string& text) {
  const Json json = Json::parse(text);
  Resumed resumed{.state = read_state(json.at("state").get<std::string>(), kRankZero),
                  .scheduled = json.at("scheduled")};
  resumed.state.scores.by_name = json.at("scores").get<Scores>();
  return resumed;
}

/// Whether a checkpoint is the newest of at least two that were validated.
bool is_newest_of_several(const std::string& model, const CheckpointInfo& info) {
  std::vector<CheckpointInfo> scored = checkpoint::candidates(model);
  std::erase_if(scored, [](const CheckpointInfo& other) { return !other.comparable_score; });
  return scored.size() > 1 && scored.back().step == info.step;
}

}  // namespace

CheckpointStore::CheckpointStore(std::shared_ptr<distributed::RankGroup> ranks, checkpoint::RunDirectory* directory,
                                 models::Model& model, Optimizer& optimizer, const TrainOptions& options,
                                 ValidationMetric metric)
    : ranks_(std::move(ranks)),
      directory_(directory),
      model_(model),
      optimizer_(optimizer),
      options_(options),
      metric_(metric) {
  TORCH_CHECK((directory != nullptr) == ranks_->leads(), "rank 0, and no other, has the model directory");
}

std::optional<Resumed> CheckpointStore::resume() {
  std::optional<Resumed> resumed;
  if (directory_ != nullptr) resumed = load();
  if (!ranks_->alone()) {
    const std::string text = ranks_->broadcast(to_text(resumed));
    share_model();
    if (text.empty()) return std::nullopt;
    if (!resumed) resumed = from_text(text);
    share_optimizer(resumed->optimizer);
  }
  if (resumed) resume_weights(resumed->optimizer);
  return resumed;
}

std::optional<Resumed> CheckpointStore::load() {
  const auto latest = directory_->load_latest_checkpoint();
  if (!latest) return std::nullopt;
  const std::string path = checkpoint::checkpoint_path(directory_->path(), latest->info.step);
  NamedTensors model = latest->model;
  model.merge(under_prefix(kAdapter, latest->optimizer));
  checkpoint::load_into(model_, model, path);
  optimizer_.load(latest->optimizer, path);
  TrainingState state = read_state(latest->state, path + "/" + checkpoint::kStateFile);
  state.scores.by_name = latest->info.scores.by_name;
  state.carried = under_prefix(kCarried, latest->optimizer);
  save_source_length(state.position, *directory_);
  return Resumed{
      .state = std::move(state), .scheduled = latest->info.scheduled, .optimizer = of_optimizer(latest->optimizer)};
}

/// Puts the weights that are trained in place of those for evaluation, which the optimizer has read.
void CheckpointStore::resume_weights(const NamedTensors& saved) {
  const at::NoGradGuard no_grad;
  const NamedTensors trained = under_prefix(kTrained, saved);
  for (const auto& [name, parameter] : trainable_parameters(model_)) {
    const auto found = trained.find(name);
    if (found != trained.end()) parameter.copy_(found->second);
  }
}

void CheckpointStore::share_model() {
  const at::NoGradGuard no_grad;
  for (const auto& [name, tensor] : checkpoint::named_tensors(model_)) share(*ranks_, tensor);
}

void CheckpointStore::share_optimizer(NamedTensors& saved) {
  const at::NoGradGuard no_grad;
  Json own = Json::object();
  for (const auto& [name, tensor] : saved) own[name] = tensor.sizes().vec();
  const Json shapes = Json::parse(ranks_->broadcast(own.dump()));
  NamedTensors received;
  for (const auto& [name, shape] : shapes.items()) {
    received[name] = ranks_->leads() ? saved.at(name) : at::empty(shape.get<std::vector<int64_t>>());
    share(*ranks_, received[name]);
  }
  if (ranks_->leads()) return;
  optimizer_.load(received, kRankZero);
  saved = std::move(received);
}

void CheckpointStore::save(const TrainingState& state, const SaveReason& reason, const Announce& announce) {
  if (directory_ != nullptr) directory_->require_in_place();
  NamedTensors optimizer = optimizer_.state();  // rank 0 collects the state that is sharded
  const EvaluationWeights evaluation(optimizer_, trainable_parameters(model_));
  if (directory_ == nullptr) return;
  const CheckpointInfo info{.step = std::llround(state.progress.steps),
                            .scores = state.scores,
                            .comparable_score = comparable_score_in(state.scores.by_name, metric_),
                            .scheduled = reason.scheduled,
                            .scored_off_schedule = reason.scored_off_schedule};
  for (const auto& [name, tensor] : state.carried) optimizer[std::string(kCarried) + name] = tensor;
  for (const auto& [name, tensor] : evaluation.trained()) optimizer[std::string(kTrained) + name] = tensor;
  nn::merge_lora(model_);
  NamedTensors model = checkpoint::named_tensors(model_);
  for (const auto& [name, tensor] : model) {
    if (nn::is_of_lora(name)) optimizer[std::string(kAdapter) + name] = tensor;
  }
  std::erase_if(model, [](const auto& entry) { return nn::is_of_lora(entry.first); });
  directory_->save_checkpoint(
      {.info = info, .model = std::move(model), .optimizer = std::move(optimizer), .state = to_json(state)},
      [&] { announce(checkpoint::checkpoint_path(directory_->path(), info.step)); });
  save_source_length(state.position, *directory_);
  prune();
}

void CheckpointStore::prune() {
  const auto* best = std::get_if<AverageOfBest>(&options_.average);
  const auto* last = std::get_if<AverageOfLast>(&options_.average);
  directory_->prune_checkpoints(std::max(options_.keep_best, best ? best->count : 0),
                                std::max(options_.keep_last, last ? last->count : 0));
}

FinalReport CheckpointStore::finish(int64_t scores_version, const ScoreModel& score) {
  nn::remove_lora(model_);  // the candidates for the final model are ordinary models
  if (ranks_->alone()) return choose_model(scores_version, score);
  FinalReport report;
  if (ranks_->leads()) {
    const auto score_on_all_ranks = [&] {
      ranks_->broadcast(kScore);
      share_model();
      return score();
    };
    report = choose_model(scores_version, score ? ScoreModel(score_on_all_ranks) : ScoreModel());
    ranks_->broadcast(kDone);
  } else {
    while (ranks_->broadcast(std::string()) == kScore) {
      share_model();
      score();
    }
  }
  share_model();
  return report;
}

FinalReport CheckpointStore::choose_model(int64_t scores_version, const ScoreModel& score) {
  directory_->require_in_place();
  prune();  // if the process that saved the last checkpoint ended before it did
  const CheckpointInfo info = best_or_last();
  const Candidate best = candidate_of(info);
  FinalReport report{.progress = Progress{}, .chosen = best.name, .candidates = {best}, .metric = metric_name(metric_)};
  report.still_improving = is_newest_of_several(directory_->path(), info);
  const auto averaged = average(score);
  if (averaged) report.candidates.push_back(averaged->candidate);
  if (averaged && better(averaged->candidate.scores, best.scores)) {
    report.chosen = averaged->candidate.name;
    publish(averaged->candidate, scores_version, averaged->tensors);
  } else {
    const std::string path = checkpoint::checkpoint_model_path(directory_->path(), info.step);
    const NamedTensors tensors = checkpoint::read_tensors(path).tensors;
    checkpoint::load_into(model_, tensors, path);
    publish(best, scores_version, tensors);
  }
  return report;
}

CheckpointInfo CheckpointStore::best_or_last() const {
  const std::string& model = directory_->path();
  std::vector<CheckpointInfo> some = checkpoint::best_first(checkpoint::candidates(model));
  const std::vector<CheckpointInfo> all = checkpoint::list_checkpoints(model);
  std::copy_if(all.rbegin(), all.rend(), std::back_inserter(some),
               [](const auto& info) { return !info.comparable_score; });
  const auto first = std::ranges::find_if(some, [&](const auto& info) { return is_undamaged(model, info); });
  if (first == some.end()) {
    throw CheckpointError(checkpoint::checkpoints_path(model), "holds no undamaged checkpoint");
  }
  return *first;
}

std::optional<CheckpointStore::Averaged> CheckpointStore::average(const ScoreModel& score) {
  const std::string& model = directory_->path();
  auto infos = averaged_checkpoints(options_, model);
  std::erase_if(infos, [&](const CheckpointInfo& info) { return !is_undamaged(model, info); });
  if (infos.size() < 2) return std::nullopt;
  Averaged averaged{.candidate = {.name = "averaged", .steps = {}, .scores = {}}, .tensors = {}};
  std::vector<std::string> paths;
  for (const CheckpointInfo& info : infos) {
    averaged.candidate.steps.push_back(info.step);
    paths.push_back(checkpoint::checkpoint_model_path(model, info.step));
  }
  averaged.tensors = checkpoint::average_tensors(paths);
  checkpoint::load_into(model_, averaged.tensors, "the average");
  if (score) averaged.candidate.scores = score();
  return averaged;
}

bool CheckpointStore::better(const Scores& scores, const Scores& than) const {
  const CheckpointInfo one = scored(scores, metric_), other = scored(than, metric_);
  if (!one.comparable_score) return scores.empty() && than.empty();
  return !other.comparable_score || is_better(one, other);
}

void CheckpointStore::publish(const Candidate& candidate, int64_t scores_version, const NamedTensors& tensors) {
  directory_->write_model(tensors, {.chosen = candidate.name,
                                    .steps = candidate.steps,
                                    .scores = {.by_name = candidate.scores, .version = scores_version}});
}

void CheckpointStore::write_best_model(int64_t scores_version) {
  if (directory_ == nullptr) return;
  directory_->require_in_place();
  const auto best = checkpoint::best_checkpoint(directory_->path());
  const checkpoint::ModelOrigin& published = directory_->manifest().origin;
  if (best && published.chosen == "best" && published.steps == std::vector{best->step}) return;
  const bool incomparable = best && best->scores.version != scores_version;  // no score says which one is better
  if (incomparable && !published.chosen.empty()) return;
  const bool compares = published.chosen == "averaged" && published.scores.version == scores_version;
  if (compares && best && better(published.scores.by_name, best->scores.by_name)) return;
  const CheckpointInfo info = best_or_last();
  const std::string path = checkpoint::checkpoint_model_path(directory_->path(), info.step);
  publish(candidate_of(info), scores_version, checkpoint::read_tensors(path).tensors);
}

}  // namespace heed::training
