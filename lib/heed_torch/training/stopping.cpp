#include "heed_torch/training/stopping.h"

#include <cmath>

#include <fmt/format.h>

#include "heed/core/enum_names.h"

namespace heed::training {

std::string metric_name(ValidationMetric metric) { return std::string(enum_name(metric)); }

double comparable_score(ValidationMetric metric, double score) {
  return is_better_when_higher(metric) ? score : -score;
}

double rounded_score(ValidationMetric metric, double comparable) {
  constexpr double kStepsPerPoint = 10;
  return is_percentage(metric) ? std::round(comparable * kStepsPerPoint) / kStepsPerPoint : comparable;
}

EarlyStopping::EarlyStopping(const ValidationOptions& options)
    : metric_(options.metric), patience_(options.patience), min_delta_(options.min_delta) {}

EarlyStopping::Comparison EarlyStopping::compare(double score, std::optional<double> loss) const {
  const double comparable = comparable_score(metric_, score);
  if (!std::isfinite(comparable)) return Comparison::NotBetter;
  if (!state_.best_score) return Comparison::Better;
  if (min_delta_ > 0) return comparable > *state_.best_score + min_delta_ ? Comparison::Better : Comparison::NotBetter;
  const double rounded = rounded_score(metric_, comparable), best = rounded_score(metric_, *state_.best_score);
  if (rounded != best) return rounded > best ? Comparison::Better : Comparison::NotBetter;
  return loss && state_.best_loss && *loss < *state_.best_loss ? Comparison::BetterByLoss : Comparison::NotBetter;
}

bool EarlyStopping::observe(double score, std::optional<double> loss) {
  const bool better = compare(score, loss) != Comparison::NotBetter;
  if (better)
    state_ = {.best_score = comparable_score(metric_, score),
              .best_loss = loss && std::isfinite(*loss) ? loss : std::nullopt};
  else
    ++state_.since_best;
  return better;
}

std::string EarlyStopping::reason() const {
  return fmt::format("no better {} in {} validations", metric_name(metric_), state_.since_best);
}

bool is_due(const Amount& every, const Progress& before, const Progress& after) {
  return std::floor(after.in(every.unit) / every.value) > std::floor(before.in(every.unit) / every.value);
}

}  // namespace heed::training
