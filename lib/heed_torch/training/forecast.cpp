#include "heed_torch/training/forecast.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/text/counted.h"
#include "heed_torch/training/optimization/schedule.h"

namespace heed::training {
namespace {

LimitUnit unit_of(AmountUnit unit) {
  switch (unit) {
    case AmountUnit::Updates:
      return LimitUnit::Updates;
    case AmountUnit::Tokens:
      return LimitUnit::Tokens;
    case AmountUnit::Epochs:
      return LimitUnit::Epochs;
  }
  return LimitUnit::Updates;
}

}  // namespace

std::optional<Forecast> forecast(const TrainOptions& options, const TrainingMoment& since, const TrainingMoment& now) {
  const auto first = first_limit(options, since, now);
  if (!first || first->seconds <= 0 || now.progress.updates <= since.progress.updates) return std::nullopt;
  const auto at_end = [&](LimitUnit unit) {
    if (unit == first->limit.unit) return first->limit.value;
    return done_in(unit, now) + speed_of(unit, since, now) * first->seconds;
  };
  Forecast made{.limit = first->limit,
                .end = TrainingMoment{.progress = {.updates = at_end(LimitUnit::Updates),
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
  for (const LimitUnit unit : {LimitUnit::Updates, LimitUnit::Epochs}) {
    const double done = done_in(unit, forecast.end);
    const double shown = unit == LimitUnit::Updates ? std::round(done) : done;
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

std::optional<Forecast> Forecaster::after_update(const TrainOptions& options, const TrainingMoment& now) {
  constexpr double kUpdates = 19;  // not counting the first
  constexpr double kSeconds = 60;
  if (done_) return std::nullopt;
  if (!first_) {
    first_ = now;
    return std::nullopt;
  }
  const bool is_known = now.progress.updates - first_->progress.updates >= kUpdates;
  if (!is_known && now.seconds - first_->seconds < kSeconds) return std::nullopt;
  done_ = true;
  return forecast(options, *first_, now);
}

}  // namespace heed::training
