#include "heed_torch/training/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// How fast training is, as measured between two moments. A step takes longer once R-Drop begins.
class Pace {
 public:
  Pace(const TrainOptions& options, const TrainingMoment& since, const TrainingMoment& now) : since_(since), now_(now) {
    elapsed_ = now.seconds - since.seconds;
    if (options.r_drop == 0) return;
    const LimitUnit unit = unit_of(options.r_drop_start.unit);
    const double start = options.r_drop_start.value, done = done_in(unit, now);
    const double measured = done - done_in(unit, since);
    const double with_r_drop = std::clamp(done - start, 0.0, std::max(0.0, measured));
    if (measured > 0) elapsed_ /= 1 + (kRDropCost - 1) * with_r_drop / measured;
    if (done >= start) {
      before_r_drop_ = 0;
    } else if (speed_of(unit) > 0) {
      before_r_drop_ = (start - done) / speed_of(unit);
    }
  }

  /// The seconds from now until a limit; absent if nothing was done in its unit.
  std::optional<double> seconds_until(const Limit& limit) const {
    const double missing = std::max(0.0, limit.value - done_in(limit.unit, now_));
    if (limit.unit == LimitUnit::Minutes) return missing * 60;
    const double speed = speed_of(limit.unit);
    if (!(speed > 0)) return std::nullopt;
    const double seconds = missing / speed;
    return seconds + (kRDropCost - 1) * std::max(0.0, seconds - before_r_drop_);
  }

  /// What is done these seconds from now.
  double done_after(LimitUnit unit, double seconds) const {
    const double with_r_drop = std::max(0.0, seconds - before_r_drop_);
    return done_in(unit, now_) + speed_of(unit) * (seconds - with_r_drop * (1 - 1 / kRDropCost));
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// In units per second, without R-Drop.
  double speed_of(LimitUnit unit) const { return (done_in(unit, now_) - done_in(unit, since_)) / elapsed_; }

  TrainingMoment since_, now_;
  double elapsed_ = 0;             // what the measured part takes without R-Drop
  double before_r_drop_ = kNever;  // seconds from now
};

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

std::optional<FirstLimit> first_limit(const TrainOptions& options, const TrainingMoment& since,
                                      const TrainingMoment& now) {
  const Pace pace(options, since, now);
  std::optional<FirstLimit> first;
  for (const Limit& limit : limits_of(options)) {
    const auto seconds = pace.seconds_until(limit);
    if (seconds && (!first || *seconds < first->seconds)) first = FirstLimit{.limit = limit, .seconds = *seconds};
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
  const Pace pace(options, since, now);
  const auto at_end = [&](LimitUnit unit) {
    return unit == first->limit.unit ? first->limit.value : pace.done_after(unit, first->seconds);
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
