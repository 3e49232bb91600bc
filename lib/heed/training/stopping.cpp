#include "heed/training/stopping.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/text/counted.h"

namespace heed::training {

std::string metric_name(ValidationMetric metric) { return std::string(enum_name(metric)); }

double rank_of(ValidationMetric metric, double score) { return is_better_when_higher(metric) ? score : -score; }

Patience::Patience(const ValidationOptions& options)
    : metric_(options.metric), patience_(options.patience), min_delta_(options.min_delta) {}

bool Patience::observe(double score) {
  const double rank = rank_of(metric_, score);
  const bool better = std::isfinite(rank) && (!state_.best_rank || rank > *state_.best_rank + min_delta_);
  if (better)
    state_ = {.best_rank = rank};
  else
    ++state_.since_best;
  return better;
}

std::string Patience::reason() const {
  return fmt::format("no better {} in {} validations", metric_name(metric_), state_.since_best);
}

std::optional<std::string> limit_reached(const TrainOptions& options, const Progress& progress, double seconds) {
  if (options.max_updates && progress.updates >= static_cast<double>(*options.max_updates)) {
    return fmt::format("{} {} done", counted(*options.max_updates, "update"), *options.max_updates == 1 ? "is" : "are");
  }
  if (options.max_epochs && progress.epochs >= *options.max_epochs) {
    return fmt::format("{} epochs are done", *options.max_epochs);
  }
  if (options.max_tokens && progress.tokens >= *options.max_tokens) {
    return fmt::format("{} target tokens are done", *options.max_tokens);
  }
  if (options.max_minutes && seconds >= *options.max_minutes * 60) {
    return fmt::format("{} minutes are over", *options.max_minutes);
  }
  return std::nullopt;
}

double remaining_seconds(const TrainOptions& options, const Progress& since, double seconds_since, const Progress& now,
                         double seconds) {
  double remaining = options.max_minutes ? std::max(0.0, *options.max_minutes * 60 - seconds) : -1;
  const auto consider = [&](std::optional<double> limit, AmountUnit unit) {
    const double speed = (now.in(unit) - since.in(unit)) / seconds_since;
    if (!limit || !(speed > 0)) return;
    const double until = std::max(0.0, *limit - now.in(unit)) / speed;
    remaining = remaining < 0 ? until : std::min(remaining, until);
  };
  if (options.max_updates) consider(static_cast<double>(*options.max_updates), AmountUnit::Updates);
  consider(options.max_tokens, AmountUnit::Tokens);
  consider(options.max_epochs, AmountUnit::Epochs);
  return remaining;
}

bool is_due(const Amount& every, const Progress& before, const Progress& after) {
  return std::floor(after.in(every.unit) / every.value) > std::floor(before.in(every.unit) / every.value);
}

}  // namespace heed::training
