#include "heed/training/training_state.h"

#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/text/json_nesting.h"
#include "heed/data/stream_position_json.h"

namespace heed::training {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const MeterState& meter) {
  const TimeSplit& time = meter.time;
  return {{"objective", meter.objective},
          {"loss", meter.loss},
          {"good_tokens", meter.good_tokens},
          {"source_tokens", meter.source_tokens},
          {"target_tokens", meter.target_tokens},
          {"seconds",
           {{"data", time.data},
            {"forward", time.forward},
            {"backward", time.backward},
            {"exchange", time.exchange},
            {"update", time.update}}}};
}

MeterState read_meter(const Json& json) {
  const Json& seconds = json.at("seconds");
  return {.objective = json.at("objective"),
          .loss = json.at("loss"),
          .good_tokens = json.at("good_tokens"),
          .source_tokens = json.at("source_tokens"),
          .target_tokens = json.at("target_tokens"),
          .time = {.data = seconds.at("data"),
                   .forward = seconds.at("forward"),
                   .backward = seconds.at("backward"),
                   .exchange = seconds.value("exchange", 0.0),
                   .update = seconds.at("update")}};
}

Json to_json(const Patience::State& patience) {
  Json json{{"best_rank", nullptr}, {"since_best", patience.since_best}};
  if (patience.best_rank) json["best_rank"] = *patience.best_rank;
  if (patience.best_loss) json["best_loss"] = *patience.best_loss;
  return json;
}

Patience::State read_patience(const Json& json) {
  Patience::State patience{.since_best = json.at("since_best")};
  if (!json.at("best_rank").is_null()) patience.best_rank = json.at("best_rank").get<double>();
  // Older checkpoints have none.
  if (json.contains("best_loss")) patience.best_loss = json.at("best_loss").get<double>();
  return patience;
}

Json to_json(const StateTerms& terms) {
  return {
      {"scores", terms.scores}, {"order", terms.order}, {"schedule", terms.schedule}, {"precision", terms.precision}};
}

StateTerms read_terms(const Json& json) {
  return {.scores = json.at("scores"),
          .order = json.at("order"),
          .schedule = json.at("schedule"),
          .precision = json.at("precision")};
}

}  // namespace

std::string to_json(const TrainingState& state) {
  Json json{{"update", state.progress.updates},
            {"tokens", state.progress.tokens},
            {"epochs", state.progress.epochs},
            {"stream", data::to_json(state.position)},
            {"schedule", {{"reductions", state.schedule.reductions}, {"waiting", state.schedule.waiting}}},
            {"patience", to_json(state.patience)},
            {"loss_scale", {{"scale", state.loss_scale.scale}, {"good_updates", state.loss_scale.good_updates}}},
            {"skipped_updates", state.skipped_updates},
            {"bad_in_a_row", state.bad_in_a_row},
            {"validation_due", state.validation_due},
            {"seconds", state.spent.elapsed_seconds},
            {"processor_seconds", state.spent.processor_seconds},
            {"meter", to_json(state.meter)},
            {"seed", state.seed}};
  if (state.terms) json["terms"] = to_json(*state.terms);
  if (state.era > 0) json["era"] = state.era;
  return json.dump(2) + "\n";
}

TrainingState read_state(const std::string& text, const std::string& path) {
  if (is_nested_deeper(text)) throw CheckpointError(path, "is no training state");
  try {
    const Json json = Json::parse(text);
    const Json& schedule = json.at("schedule");
    const Json& scale = json.at("loss_scale");
    TrainingState state{
        .progress = Progress{.updates = json.at("update"), .tokens = json.at("tokens"), .epochs = json.at("epochs")},
        .position = data::read_position(json.at("stream")),
        .schedule = {.reductions = schedule.at("reductions"), .waiting = schedule.at("waiting")},
        .patience = read_patience(json.at("patience")),
        .loss_scale = LossScaler::State{.scale = scale.at("scale"), .good_updates = scale.at("good_updates")},
        .skipped_updates = json.at("skipped_updates"),
        .bad_in_a_row = json.at("bad_in_a_row"),
        .validation_due = json.value("validation_due", false),
        .spent = {.elapsed_seconds = json.at("seconds"), .processor_seconds = json.value("processor_seconds", 0.0)},
        .seed = json.at("seed"),
        .era = json.value("era", int64_t{0})};
    if (json.contains("meter")) state.meter = read_meter(json.at("meter"));  // older checkpoints have none
    if (json.contains("terms")) state.terms = read_terms(json.at("terms"));
    return state;
  } catch (const nlohmann::json::exception& error) {
    throw CheckpointError(path, "is no training state: " + sentence_of(error));
  }
}

}  // namespace heed::training
