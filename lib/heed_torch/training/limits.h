// The limits that end training: train.max-steps, train.max-epochs, train.max-tokens and train.max-minutes; and a
// forecast, from the speed of the first steps, of how much training they allow.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/amount.h"
#include "heed_torch/training/train_options.h"

namespace heed::training {

/// The time of a step with R-Drop, which reads its sentences twice, in steps without it.
inline constexpr double kRDropCost = 2;

enum class LimitUnit { Steps, Epochs, Tokens, Minutes };

struct Limit {
  LimitUnit unit = LimitUnit::Steps;
  double value = 0;
  bool operator==(const Limit&) const = default;
};

/// How far training is: its progress and the seconds that it has taken.
struct TrainingMoment {
  Progress progress = {};
  double seconds = 0;
};

/// The option that sets the limit: "train.max-minutes".
std::string_view option_of(LimitUnit unit);
/// "10 minutes", "20,000 steps", "2.5 epochs", "1 epoch", "5,000,000 target tokens".
std::string amount_text(LimitUnit unit, double value);
/// The progress in `moment`, measured in this unit.
double done_in(LimitUnit unit, const TrainingMoment& moment);

/// The limits that are set, in the order in which they are compared with the progress.
std::vector<Limit> limits_of(const TrainOptions& options);
/// The first of these limits that training has reached.
std::optional<Limit> reached_limit(const TrainOptions& options, const TrainingMoment& now);
/// The limit reached, as a sentence ("2000 steps are done"); absent if none is reached.
std::optional<std::string> limit_reached(const TrainOptions& options, const Progress& progress, double seconds);

/// Seconds until the first limit at the current speed, or half of it once R-Drop begins; negative without a limit, and
/// before any progress. The speed is measured from `since` and `seconds_since` to `now` and `seconds`, the current
/// moment.
double remaining_seconds(const TrainOptions& options, const Progress& since, double seconds_since, const Progress& now,
                         double seconds);

/// The limit that training reaches first at the speed between two moments, and the seconds from `now` until then. Where
/// R-Drop begins later, the speed is halved from there on.
/// Absent if there is no limit, and if nothing was done between the two.
struct FirstLimit {
  Limit limit;
  double seconds = 0;
};
std::optional<FirstLimit> first_limit(const TrainOptions& options, const TrainingMoment& since,
                                      const TrainingMoment& now);

/// What training will have done when it reaches its first limit.
struct Forecast {
  Limit limit;
  TrainingMoment end;
  Amount warmup;               ///< of the learning rate; 0: no warm-up, or it is over
  bool within_warmup = false;  ///< whether training ends within the warm-up
};

/// Estimates from the speed between two moments; `now` is the current one. Absent without a limit, if a limit is
/// reached already, and if nothing was done between the two.
std::optional<Forecast> forecast(const TrainOptions& options, const TrainingMoment& since, const TrainingMoment& now);
/// "10 minutes are about 900 steps, 0.44 epochs; the warm-up of the learning rate takes 2,000 steps".
std::string forecast_text(const Forecast& forecast);

/// Makes one forecast per process as soon as its speed is known: after 20 steps, or, if they are slow, a minute after
/// the first one. The first step takes longer than others and is not counted.
class Forecaster {
 public:
  /// Call it after each step. Returns the forecast once, otherwise nothing.
  std::optional<Forecast> after_step(const TrainOptions& options, const TrainingMoment& now);

 private:
  std::optional<TrainingMoment> first_;  // after the first step
  bool done_ = false;
};

}  // namespace heed::training
