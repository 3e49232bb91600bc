#include "make/training_facts.h"

#include <string>

#include <nlohmann/json.hpp>

#include "heed/core/files/line_reader.h"

namespace heed::apps::make {
namespace {

/// A report of the training: how far it is.
struct Moment {
  double steps = 0, tokens = 0, epochs = 0, elapsed = 0;
};

Moment moment_of(const nlohmann::json& event) {
  return {.steps = event.value("step", 0.0),
          .tokens = event.value("tokens", 0.0),
          .epochs = event.value("epochs", 0.0),
          .elapsed = event.value("elapsed", 0.0)};
}

void set_speed(TrainingFacts& facts, const Moment& first, const Moment& last) {
  const double seconds = last.elapsed - first.elapsed;
  if (seconds > 0) {
    facts.tokens_per_second = (last.tokens - first.tokens) / seconds;
    facts.steps_per_second = (last.steps - first.steps) / seconds;
  } else if (last.elapsed > 0) {  // one report
    facts.tokens_per_second = last.tokens / last.elapsed;
    facts.steps_per_second = last.steps / last.elapsed;
  }
  if (last.epochs > 0) {
    facts.epoch_tokens = last.tokens / last.epochs;
    facts.epoch_steps = last.steps / last.epochs;
  }
}

}  // namespace

TrainingFacts read_training_facts(const std::string& model) {
  TrainingFacts facts;
  std::vector<Moment> reports;
  LineReader reader(model + "/metrics.jsonl");
  for (std::string line; reader.next(line);) {
    const nlohmann::json event = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!event.is_object()) continue;
    const std::string type = event.value("type", "");
    if (type == "start") facts.parameters = event.value("parameters", 0.0);
    facts.finished |= type == "finish";
    if (event.contains("elapsed")) {
      const Moment now = moment_of(event);
      facts.steps = now.steps;
      facts.epochs = now.epochs;
      facts.elapsed = now.elapsed;
    }
    if (type == "train") {
      reports.push_back(moment_of(event));
      facts.train_loss = event.value("loss", 0.0);
    }
    if (type == "validation" && event.contains("scores")) {
      auto& validation = facts.validations.emplace_back();
      validation.step = event.value("step", 0.0);
      validation.best = event.value("best", false);
      for (const auto& [name, score] : event["scores"].items()) {
        if (score.is_number()) validation.scores[name] = score;
      }
    }
  }
  if (!reports.empty()) set_speed(facts, reports.front(), reports.back());
  return facts;
}

}  // namespace heed::apps::make
