// Estimates from the speed of the first updates how much training the limits allow.
#pragma once

#include <optional>
#include <string>

#include "heed_torch/training/limits.h"

namespace heed::training {

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

/// Makes one forecast per process as soon as its speed is known: after 20 updates, or, if they are slow, a minute after
/// the first one. The first update takes longer than others and is not counted.
class Forecaster {
 public:
  /// Call it after each update. Returns the forecast once, otherwise nothing.
  std::optional<Forecast> after_update(const TrainOptions& options, const TrainingMoment& now);

 private:
  std::optional<TrainingMoment> first_;  // after the first update
  bool done_ = false;
};

}  // namespace heed::training
