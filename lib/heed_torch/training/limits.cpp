#include "heed_torch/training/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/text/counted.h"

namespace heed::training {
namespace {

std::string_view noun_of(LimitUnit unit) {
  switch (unit) {
    case LimitUnit::Updates:
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

/// "900", "0.44", "12.3".
std::string number_text(double value) {
  return value == std::floor(value) || value >= 100 ? format_count(std::llround(value)) : fmt::format("{:.3g}", value);
}

}  // namespace

std::string_view option_of(LimitUnit unit) {
  switch (unit) {
    case LimitUnit::Updates:
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
    case LimitUnit::Updates:
      return moment.progress.updates;
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
  add(LimitUnit::Updates, options.max_steps);
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
  const bool one_update = limit->unit == LimitUnit::Updates && limit->value == 1;
  return fmt::format("{} {}{} {} {}", limit->value, noun_of(limit->unit), one_update ? "" : "s",
                     one_update ? "is" : "are", limit->unit == LimitUnit::Minutes ? "over" : "done");
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

}  // namespace heed::training
