#include "heed/report/json_observer.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace heed::report {

using Json = nlohmann::ordered_json;

namespace {

/// time: empty if unknown.
Json event(std::string_view type, const Progress& progress, const std::string& time) {
  Json json{{"type", type},
            {"step", static_cast<int64_t>(progress.steps)},
            {"tokens", static_cast<int64_t>(progress.tokens)},
            {"epochs", progress.epochs}};
  if (!time.empty()) json["time"] = time;
  return json;
}

Json time_split(const training::TimeSplit& time) {
  Json split{
      {"data", time.data}, {"forward", time.forward}, {"backward", time.backward}, {"optimizer", time.optimizer}};
  if (time.exchange > 0) split["exchange"] = time.exchange;
  return split;
}

/// The words and the weights [target][source], with two digits.
Json attention_json(const text::Alignment& attention) {
  Json rows = Json::array();
  for (const std::vector<float>& weights : attention.weights) {
    Json& row = rows.emplace_back(Json::array());
    for (const float weight : weights) row.push_back(std::round(100 * static_cast<double>(weight)) / 100);
  }
  return {{"source", attention.source}, {"target", attention.target}, {"weights", std::move(rows)}};
}

/// One line. Text that is not UTF-8 (a sample, a path) gets replacement characters.
std::string to_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string JsonObserver::time() const { return clock_ ? iso_time(clock_()) : ""; }

void JsonObserver::on_start(const training::StartReport& report) {
  progress_ = report.progress;
  Json json = event("start", report.progress, time());
  json.update({{"resumed", report.resumed}, {"parameters", report.parameters}});
  if (report.pairs) json["pairs"] = *report.pairs;
  if (report.overlap) {
    if (report.overlap->duplicates) json["duplicate_pairs"] = *report.overlap->duplicates;
    json.update({{"leaking_pairs", report.overlap->leaking},
                 {"valid_pairs_in_training", report.overlap->valid_found},
                 {"valid_sources_in_training", report.overlap->valid_sources_found}});
  }
  json.update({{"valid_pairs", report.valid_pairs},
               {"valid_translated", report.valid_translated},
               {"device", report.device},
               {"threads", report.threads},
               {"replicas", report.replicas},
               {"matmul", report.products}});
  if (report.frozen_parameters > 0) json["frozen_parameters"] = report.frozen_parameters;
  if (report.lora_parameters > 0) json["lora_parameters"] = report.lora_parameters;
  if (report.ranks > 1) json["ranks"] = report.ranks;
  if (!facts_.folder.empty()) json["folder"] = facts_.folder;
  if (!facts_.processor.empty()) json["processor"] = facts_.processor;
  if (facts_.memory > 0) json["memory"] = facts_.memory;
  if (!facts_.preset.empty()) {
    json["preset"] = facts_.preset;
    Json& options = json["options"] = Json::object();
    for (const training::OptionChange& option : facts_.options) options[option.option] = {option.before, option.now};
  }
  take(to_line(json));
}

void JsonObserver::on_change(const training::OptionChange& change, const Progress& progress) {
  Json json = event("change", progress, time());
  json.update({{"option", change.option}, {"before", change.before}, {"now", change.now}});
  if (!change.effect.empty()) json["effect"] = change.effect;
  take(to_line(json));
}

void JsonObserver::on_training(const training::TrainingReport& report) {
  progress_ = report.progress;
  Json json = event("train", report.progress, time());
  json.update({{"epoch", report.epoch},
               {"objective", report.objective},
               {"loss", report.loss},
               {"learning_rate", report.learning_rate},
               {"gradient_norm", report.gradient_norm},
               {"source_tokens_per_second", report.source_tokens_per_second},
               {"target_tokens_per_second", report.target_tokens_per_second},
               {"seconds", time_split(report.time)},
               {"elapsed", report.elapsed_seconds},
               {"skipped_steps", report.skipped_steps}});
  if (report.bytes_sent > 0) json["bytes_sent"] = report.bytes_sent;
  if (report.remaining_seconds >= 0) json["remaining"] = report.remaining_seconds;
  take(to_line(json));
}

void JsonObserver::on_validation(const training::ValidationReport& report) {
  progress_ = report.progress;
  Json json = event("validation", report.progress, time());
  json.update({{"epoch", report.epoch},
               {"scores", report.scores},
               {"metric", report.stopping_metric},
               {"best", report.best},
               {"since_best", report.since_best},
               {"seconds", report.seconds},
               {"elapsed", report.elapsed_seconds}});
  if (!report.signature.empty()) json["signature"] = report.signature;
  if (!report.chrf_signature.empty()) json["chrf_signature"] = report.chrf_signature;
  Json samples = Json::array();
  for (const training::SampleTranslation& sample : report.samples) {
    Json& shown = samples.emplace_back(
        Json{{"source", sample.source}, {"reference", sample.reference}, {"hypothesis", sample.hypothesis}});
    if (!sample.attention.weights.empty()) shown["attention"] = attention_json(sample.attention);
  }
  json["samples"] = samples;
  take(to_line(json));
}

void JsonObserver::on_checkpoint(const std::string& path, const Progress& progress) {
  progress_ = progress;
  Json json = event("checkpoint", progress, time());
  json["path"] = path;
  take(to_line(json));
}

void JsonObserver::on_finish(const training::FinalReport& report) {
  Json json = event("finish", report.progress, time());
  Json candidates = Json::array();
  for (const training::Candidate& candidate : report.candidates) {
    candidates.push_back({{"name", candidate.name}, {"steps", candidate.steps}, {"scores", candidate.scores}});
  }
  json.update({{"chosen", report.chosen},
               {"metric", report.metric},
               {"candidates", candidates},
               {"elapsed", report.spent.elapsed_seconds},
               {"processor_seconds", report.spent.processor_seconds}});
  if (report.still_improving) json["still_improving"] = true;
  if (report.learned_little) {
    json["learned_little"] = {{"loss", report.learned_little->loss},
                              {"frequency_loss", report.learned_little->frequency_loss}};
  }
  take(to_line(json));
}

void JsonObserver::on_warning(const std::string& message) {
  Json json = event("warning", progress_, time());
  json["message"] = message;
  take(to_line(json));
}

void JsonObserver::on_failed_observer(const std::string& message) { on_warning(message); }

void JsonObserver::on_stop(const std::string& reason, const Progress& progress) {
  Json json = event("stop", progress, time());
  json["reason"] = reason;
  take(to_line(json));
}

}  // namespace heed::report
