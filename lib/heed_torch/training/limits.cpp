#include "heed_torch/training/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/text/counted.h"
#include "heed_torch/training/optimization/schedule.h"

namespace heed::training {
namespace {

std::string_view noun_of(LimitUnit unit) {
  switch (unit) {
    case LimitUnit::Steps:
      return "step";
    case LimitUnit::Epochs:
      return "epoch";
    case LimitUnit::Tokens:
      return "target token";
    case LimitUnit::Minutes:
      return "minute";
  }
  return {};
}

LimitUnit unit_of(AmountUnit unit) {
  switch (unit) {
    case AmountUnit::Steps:
      return LimitUnit::Steps;
    case AmountUnit::Tokens:
      return LimitUnit::Tokens;
    case AmountUnit::Epochs:
      return LimitUnit::Epochs;
  }
  return LimitUnit::Steps;
}

/// "900", "0.44", "12.3".
std::string number_text(double value) {
  return value == std::floor(value) || value >= 100 ? format_count(std::llround(value)) : fmt::format("{:.3g}", value);
}

}  // namespace

std::string_view option_of(LimitUnit unit) {
  switch (unit) {
    case LimitUnit::Steps:
      return "train.max-steps";
    case LimitUnit::Epochs:
      return "train.max-epochs";
    case LimitUnit::Tokens:
      return "train.max-tokens";
    case LimitUnit::Minutes:
      return "train.max-minutes";
  }
  return {};
}

std::string amount_text(LimitUnit unit, double value) {
  return fmt::format("{} {}{}", number_text(value), noun_of(unit), value == 1 ? "" : "s");
}

double done_in(LimitUnit unit, const TrainingMoment& moment) {
  switch (unit) {
    case LimitUnit::Steps:
      return moment.progress.steps;
    case LimitUnit::Epochs:
      return moment.progress.epochs;
    case LimitUnit::Tokens:
      return moment.progress.tokens;
    case LimitUnit::Minutes:
      return moment.seconds / 60;
  }
  return 0;
}

std::vector<Limit> limits_of(const TrainOptions& options) {
  std::vector<Limit> limits;
  const auto add = [&](LimitUnit unit, std::optional<double> value) {
    if (value) limits.push_back({.unit = unit, .value = *value});
  };
  add(LimitUnit::Steps, options.max_steps);
  add(LimitUnit::Epochs, options.max_epochs);
  add(LimitUnit::Tokens, options.max_tokens);
  add(LimitUnit::Minutes, options.max_minutes);
  return limits;
}

std::optional<Limit> reached_limit(const TrainOptions& options, const TrainingMoment& now) {
  for (const Limit& limit : limits_of(options)) {
    if (done_in(limit.unit, now) >= limit.value) return limit;
  }
  return std::nullopt;
}

std::optional<std::string> limit_reached(const TrainOptions& options, const Progress& progress, double seconds) {
  const auto limit = reached_limit(options, {.progress = progress, .seconds = seconds});
  if (!limit) return std::nullopt;
  const bool one = limit->value == 1;
  return fmt::format("{} {}{} {} {}", limit->value, noun_of(limit->unit), one ? "" : "s", one ? "is" : "are",
                     limit->unit == LimitUnit::Minutes ? "over" : "done");
}

double speed_of(LimitUnit unit, const TrainingMoment& since, const TrainingMoment& now) {
  if (unit == LimitUnit::Minutes) return 1.0 / 60;
  return (done_in(unit, now) - done_in(unit, since)) / (now.seconds - since.seconds);
}

std::optional<FirstLimit> first_limit(const TrainOptions& options, const TrainingMoment& since,
                                      const TrainingMoment& now) {
  std::optional<FirstLimit> first;
  for (const Limit& limit : limits_of(options)) {
    const double speed = speed_of(limit.unit, since, now);
    if (!(speed > 0)) continue;
    const double seconds = std::max(0.0, limit.value - done_in(limit.unit, now)) / speed;
    if (!first || seconds < first->seconds) first = FirstLimit{.limit = limit, .seconds = seconds};
  }
  return first;
}

double remaining_seconds(const TrainOptions& options, const Progress& since, double seconds_since, const Progress& now,
                         double seconds) {
  const auto first = first_limit(options, {.progress = since, .seconds = seconds - seconds_since},
                                 {.progress = now, .seconds = seconds});
  return first ? first->seconds : -1;
}

std::optional<Forecast> forecast(const TrainOptions& options, const TrainingMoment& since, const TrainingMoment& now) {
  const auto first = first_limit(options, since, now);
  if (!first || first->seconds <= 0 || now.progress.steps <= since.progress.steps) return std::nullopt;
  const auto at_end = [&](LimitUnit unit) {
    if (unit == first->limit.unit) return first->limit.value;
    return done_in(unit, now) + speed_of(unit, since, now) * first->seconds;
  };
  Forecast made{.limit = first->limit,
                .end = TrainingMoment{.progress = {.steps = at_end(LimitUnit::Steps),
                                                   .tokens = at_end(LimitUnit::Tokens),
                                                   .epochs = at_end(LimitUnit::Epochs)},
                                      .seconds = now.seconds + first->seconds},
                .warmup = warmup_of(options.schedule)};
  if (now.progress.in(made.warmup.unit) >= made.warmup.value) made.warmup.value = 0;
  made.within_warmup = made.end.progress.in(made.warmup.unit) < made.warmup.value;
  return made;
}

std::string forecast_text(const Forecast& forecast) {
  std::vector<std::string> others;
  for (const LimitUnit unit : {LimitUnit::Steps, LimitUnit::Epochs}) {
    const double done = done_in(unit, forecast.end);
    const double shown = unit == LimitUnit::Steps ? std::round(done) : done;
    if (unit != forecast.limit.unit && shown > 0) others.push_back(amount_text(unit, shown));
  }
  if (forecast.limit.unit != LimitUnit::Minutes) others.push_back(format_duration(forecast.end.seconds));
  std::string text = fmt::format("{} {} about {}", amount_text(forecast.limit.unit, forecast.limit.value),
                                 forecast.limit.value == 1 ? "is" : "are", fmt::join(others, ", "));
  if (forecast.warmup.value == 0) return text;
  text += fmt::format("; the warm-up of the learning rate takes {}",
                      amount_text(unit_of(forecast.warmup.unit), forecast.warmup.value));
  if (forecast.within_warmup) text += ", so training ends within it (train.schedule.warmup)";
  return text;
}

std::optional<Forecast> Forecaster::after_step(const TrainOptions& options, const TrainingMoment& now) {
  constexpr double kSteps = 19;  // not counting the first
  constexpr double kSeconds = 60;
  if (done_) return std::nullopt;
  if (!first_) {
    first_ = now;
    return std::nullopt;
  }
  const bool is_known = now.progress.steps - first_->progress.steps >= kSteps;
  if (!is_known && now.seconds - first_->seconds < kSeconds) return std::nullopt;
  done_ = true;
  return forecast(options, *first_, now);
}

}  // namespace heed::training
