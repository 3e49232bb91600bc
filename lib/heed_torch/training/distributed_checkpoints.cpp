#include "heed_torch/training/distributed_checkpoints.h"

#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <nlohmann/json.hpp>

#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/nn/lora.h"

namespace heed::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLeader = "rank 0";

/// The messages that rank 0 sends at the end of a training.
constexpr const char* kScore = "score";
constexpr const char* kDone = "done";

void share(distributed::RankGroup& ranks, const Tensor& tensor) {
  const Tensor values = tensor.detach().contiguous();
  ranks.broadcast(values);
  if (!values.is_alias_of(tensor)) tensor.detach().copy_(values);
}

std::string to_text(const std::optional<Resumed>& resumed) {
  if (!resumed) return {};
  return Json{{"state", to_json(resumed->state)}, {"scores", resumed->scores}, {"scheduled", resumed->scheduled}}
      .dump();
}

std::optional<Resumed> from_text(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const Json json = Json::parse(text);
  return Resumed{.state = read_state(json.at("state").get<std::string>(), kLeader),
                 .scores = json.at("scores").get<Scores>(),
                 .scheduled = json.at("scheduled")};
}

}  // namespace

DistributedCheckpoints::DistributedCheckpoints(std::shared_ptr<distributed::RankGroup> ranks,
                                               checkpoint::RunDirectory* directory, models::Model& model,
                                               Optimizer& optimizer, const TrainOptions& options,
                                               ValidationMetric metric)
    : ranks_(std::move(ranks)), model_(model), optimizer_(optimizer) {
  TORCH_CHECK((directory != nullptr) == ranks_->leads(), "rank 0, and no other, has the model directory");
  if (directory != nullptr) keeper_.emplace(*directory, model, optimizer, options, metric);
}

std::optional<Resumed> DistributedCheckpoints::resume() {
  std::optional<Resumed> resumed;
  if (keeper_) resumed = keeper_->resume();
  if (ranks_->alone()) return resumed;
  const std::string text = ranks_->broadcast(to_text(resumed));
  share_model();
  if (text.empty()) return std::nullopt;
  share_optimizer(resumed ? resumed->optimizer : checkpoint::NamedTensors{});
  return keeper_ ? std::move(resumed) : from_text(text);
}

void DistributedCheckpoints::share_model() {
  const at::NoGradGuard no_grad;
  for (const auto& [name, tensor] : checkpoint::named_tensors(model_)) share(*ranks_, tensor);
}

void DistributedCheckpoints::share_optimizer(const checkpoint::NamedTensors& saved) {
  const at::NoGradGuard no_grad;
  Json own = Json::object();
  for (const auto& [name, tensor] : saved) own[name] = tensor.sizes().vec();
  const Json shapes = Json::parse(ranks_->broadcast(own.dump()));
  checkpoint::NamedTensors received;
  for (const auto& [name, shape] : shapes.items()) {
    received[name] = keeper_ ? saved.at(name) : at::empty(shape.get<std::vector<int64_t>>());
    share(*ranks_, received[name]);
  }
  if (!keeper_) optimizer_.load(received, kLeader);
}

void DistributedCheckpoints::begin_era(int64_t era) {
  if (keeper_) keeper_->begin_era(era);
}

void DistributedCheckpoints::save(const TrainingState& state, const Scores& scores, const SaveReason& occasion,
                                  const Announce& announce) {
  if (keeper_) return keeper_->save(state, scores, occasion, announce);
  static_cast<void>(optimizer_.state());  // rank 0 collects the state that is sharded
}

void DistributedCheckpoints::write_best_model() {
  if (keeper_) keeper_->write_best_model();
}

FinalReport DistributedCheckpoints::finish(const Validator* validator, const StopRequest& stop) {
  nn::remove_lora(model_);  // the candidates for the final model are ordinary models
  FinalReport report;
  if (keeper_) {
    ScoreModel score;
    if (validator != nullptr) {
      score = [&] {
        if (!ranks_->alone()) {
          ranks_->broadcast(kScore);
          share_model();
        }
        return validator->validate(stop).scores;
      };
    }
    report = keeper_->finish(score);
    if (!ranks_->alone()) ranks_->broadcast(kDone);
  } else {
    follow_end(validator, stop);
  }
  if (!ranks_->alone()) share_model();
  return report;
}

void DistributedCheckpoints::follow_end(const Validator* validator, const StopRequest& stop) {
  while (ranks_->broadcast(std::string()) == kScore) {
    share_model();
    validator->validate(stop);
  }
}

}  // namespace heed::training
