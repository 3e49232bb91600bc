#include "heed_torch/training/training_state.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/text/json_members.h"
#include "heed/core/text/json_nesting.h"
#include "heed/data/batches/stream_position_json.h"

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

MeterState read_meter(const JsonMembers& json) {
  return {.objective = json.number("objective"),
          .loss = json.number("loss"),
          .good_tokens = json.number("good_tokens"),
          .source_tokens = json.number("source_tokens"),
          .target_tokens = json.number("target_tokens"),
          .time = {.data = json.number("seconds.data"),
                   .forward = json.number("seconds.forward"),
                   .backward = json.number("seconds.backward"),
                   .exchange = json.has("seconds.exchange") ? json.number("seconds.exchange") : 0,
                   .update = json.number("seconds.update")}};
}

Json to_json(const EarlyStopping::State& patience) {
  Json json{{"best_rank", nullptr}, {"since_best", patience.since_best}};
  if (patience.best_rank) json["best_rank"] = *patience.best_rank;
  if (patience.best_loss) json["best_loss"] = *patience.best_loss;
  return json;
}

EarlyStopping::State read_patience(const JsonMembers& json) {
  EarlyStopping::State patience{.since_best = json.whole_number("since_best")};
  if (json.has("best_rank")) patience.best_rank = json.number("best_rank");
  if (json.has("best_loss")) patience.best_loss = json.number("best_loss");  // not in older checkpoints
  return patience;
}

Json to_json(const StateTerms& terms) {
  return {
      {"scores", terms.scores}, {"order", terms.order}, {"schedule", terms.schedule}, {"precision", terms.precision}};
}

StateTerms read_terms(const JsonMembers& json) {
  return {.scores = json.text("scores"),
          .order = json.text("order"),
          .schedule = json.text("schedule"),
          .precision = json.text("precision")};
}

TrainingState state_from(const JsonMembers& json) {
  const Progress progress{
      .updates = json.number("update"), .tokens = json.number("tokens"), .epochs = json.number("epochs")};
  TrainingState state{.progress = progress,
                      .position = data::read_position(json.members("stream")),
                      .schedule = {.reductions = json.whole_number("schedule.reductions"),
                                   .waiting = json.whole_number("schedule.waiting")},
                      .patience = read_patience(json.members("patience")),
                      .loss_scale = LossScaler::State{.scale = json.number("loss_scale.scale"),
                                                      .good_updates = json.whole_number("loss_scale.good_updates")},
                      .skipped_updates = json.whole_number("skipped_updates"),
                      .bad_in_a_row = json.whole_number("bad_in_a_row"),
                      .seed = json.natural_number("seed")};
  state.spent.elapsed_seconds = json.number("seconds");
  // Older checkpoints have none of these.
  if (json.has("validation_due")) state.validation_due = json.flag("validation_due");
  if (json.has("processor_seconds")) state.spent.processor_seconds = json.number("processor_seconds");
  if (json.has("era")) state.era = json.whole_number("era");
  if (json.has("meter")) state.meter = read_meter(json.members("meter"));
  if (json.has("terms")) state.terms = read_terms(json.members("terms"));
  return state;
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
  if (is_nested_deeper(text)) throw CheckpointError(path, "is not a training state: it " + nested_too_deep());
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw CheckpointError(path, "is not a training state: it is not a JSON object, or it is truncated");
  try {
    return state_from(JsonMembers(json));
  } catch (const Error& error) {
    throw CheckpointError(path, fmt::format("is not a training state: {}", error.what()));
  }
}

}  // namespace heed::training
