#include "heed_torch/training/training_reporter.h"

#include <cmath>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/training/step/precision.h"
#include "heed_torch/training/stopping.h"

namespace heed::training {
namespace {

/// The beam size of the translations in validation; 0: validation does not translate.
int64_t beam_of(const ValidationOptions& valid) {
  const auto* translated = std::get_if<TranslateValidText>(&valid.translate);
  return translated ? translated->beam : 0;
}

/// The search options of later translations that validation does not use.
std::string shown_search(const search::SearchOptions& options) {
  if (std::holds_alternative<search::SampleMethod>(options.method)) return "search.method sample";
  const std::string groups = options.groups > 1 ? fmt::format(" in search.groups {}", options.groups) : "";
  return fmt::format("search.beam {}{}", options.beam, groups);
}

/// Whether this follows from the options, without a forecast.
bool ends_within_warmup(const TrainOptions& train) {
  const auto limit = training_limit(train);
  return limit && ends_within_warmup(train.schedule, *limit);
}

void count_parameters(const models::Model& model, StartReport& report) {
  for (const auto& item : model.named_parameters()) {
    const int64_t size = item.value().numel();
    (item.value().requires_grad() ? report.parameters : report.frozen_parameters) += size;
    if (nn::is_of_lora(item.key())) report.lora_parameters += size;
  }
}

}  // namespace

TrainingReporter::TrainingReporter(const TrainerSetup& setup, const TrainingSteps& steps, const TrainingClock& clock,
                                   Observer& observers)
    : setup_(setup), steps_(steps), clock_(clock), observers_(observers), timer_(setup.silence) {}

void TrainingReporter::start(const Validator* validator, bool resumed) {
  started_at_ = steps_.progress();
  StartReport report{.pairs = setup_.text->pairs(),
                     .overlap = setup_.text->overlap(),
                     .valid_pairs = validator ? validator->pairs() : 0,
                     .valid_translated = validator ? validator->translated_lines() : 0,
                     .valid_beam = validator ? beam_of(setup_.valid) : 0,
                     .translation_search = shown_search(setup_.search),
                     .device = setup_.device.str(),
                     .threads = setup_.threads,
                     .replicas = steps_.replicas(),
                     .ranks = setup_.ranks->size(),
                     .products = describe_products(setup_.device.type(), setup_.train.precision),
                     .language_model = !setup_.text->has_source(),
                     .target = setup_.text->form().target,
                     .resumed = resumed,
                     .progress = started_at_};
  count_parameters(*setup_.model, report);
  observers_.on_start(report);
  if (resumed) {
    for (const OptionChange& change : setup_.changes) observers_.on_change(change, started_at_);
  } else if (setup_.ranks->leads() && ends_within_warmup(setup_.train)) {
    const Amount limit = *training_limit(setup_.train);
    log_warning(fmt::format(
        "training ends, after {}, within the warm-up of the learning rate (train.schedule.warmup)",
        limit.unit == AmountUnit::Steps ? counted(std::llround(limit.value), "step") : format_amount(limit)));
  }
}

void TrainingReporter::finished(const FinishedStep& step, const Progress& before) {
  meter_.add(step.batch, step.result, step.time);
  if (is_due(setup_.log.every, before, steps_.progress()))
    report_training();
  else if (timer_.is_due())
    report_progress();
  report_forecast();
}

TrainingReport TrainingReporter::training_report() const {
  const TimeSpent spent = clock_.spent();
  return {.progress = steps_.progress(),
          .epoch = steps_.epoch(),
          .learning_rate = steps_.learning_rate(),
          .bytes_sent = steps_.bytes_sent(),
          .elapsed_seconds = spent.elapsed_seconds,
          .remaining_seconds = remaining_seconds(setup_.train, started_at_, clock_.process_spent().elapsed_seconds,
                                                 steps_.progress(), spent.elapsed_seconds),
          .skipped_steps = steps_.skipped()};
}

void TrainingReporter::report_training() {
  TrainingReport report = training_report();
  meter_.report(report);
  observers_.on_training(report);
  timer_.reported();
}

void TrainingReporter::report_progress() {
  TrainingReport report = training_report();
  meter_.preview(report);
  observers_.on_progress(report);
  timer_.reported();
}

void TrainingReporter::report_forecast() {
  const auto made =
      forecaster_.after_step(setup_.train, {.progress = steps_.progress(), .seconds = clock_.spent().elapsed_seconds});
  if (!made) return;
  if (made->within_warmup && !ends_within_warmup(setup_.train))  // otherwise it is known from the start
    observers_.on_warning("at this speed " + forecast_text(*made));
  else
    observers_.on_forecast(forecast_text(*made));
}

void TrainingReporter::validating(int64_t done, int64_t all, std::string_view things) {
  if (!timer_.is_due()) return;
  observers_.on_validating({.progress = steps_.progress(), .done = done, .all = all, .things = things});
  timer_.reported();
}

void TrainingReporter::validated(const ValidationReport& report) {
  observers_.on_validation(report);
  timer_.reported();
}

}  // namespace heed::training
