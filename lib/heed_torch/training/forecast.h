// What the limits of a training amount to at its speed, known after its first updates.
#pragma once

#include <optional>
#include <string>

#include "heed_torch/training/limits.h"

namespace heed::training {

/// What training will have done when it reaches its first limit.
struct Forecast {
  Limit limit;
  TrainingMoment end;
  Amount warmup;               ///< of the learning rate, if it is not over yet; 0: there is none, or it is over
  bool within_warmup = false;  ///< the end is
};

/// At the speed between two moments, of which `now` is the present one. Absent without a limit, when one is reached,
/// and when nothing was done in between.
std::optional<Forecast> forecast(const TrainOptions& options, const TrainingMoment& since, const TrainingMoment& now);
/// "10 minutes are about 900 updates, 0.44 epochs; the warm-up of the learning rate takes 2,000 updates".
std::string forecast_text(const Forecast& forecast);

/// Makes one forecast in a process, when its speed is known: after 20 updates, or a minute after the first one if they
/// are slow. The first update takes longer than others, and is not counted.
class Forecaster {
 public:
  /// Absent before that time and after it. Called after each update.
  std::optional<Forecast> after_update(const TrainOptions& options, const TrainingMoment& now);

 private:
  std::optional<TrainingMoment> first_;  // after the first update
  bool done_ = false;
};

}  // namespace heed::training
