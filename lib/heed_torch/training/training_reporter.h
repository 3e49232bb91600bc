// Reports a training to its observers: what is known at its start, the figures of its steps, a forecast, and the
// progress of a validation.
#pragma once

#include <cstdint>
#include <string_view>

#include "heed/report/observer.h"
#include "heed/report/training_clock.h"
#include "heed_torch/training/limits.h"
#include "heed_torch/training/meter.h"
#include "heed_torch/training/trainer_setup.h"
#include "heed_torch/training/training_steps.h"

namespace heed::training {

class TrainingReporter {
 public:
  /// All of them must outlive the reporter.
  TrainingReporter(const TrainerSetup& setup, const TrainingSteps& steps, const TrainingClock& clock,
                   Observer& observers);

  /// Call it before the first step of this process. validator: null without validation. Reports changed options if the
  /// training is resumed. Otherwise warns if it would end within the warm-up of the learning rate.
  void start(const Validator* validator, bool resumed);
  /// Adds a step to the figures. before: the progress before it. Reports them if log.every is over, or nothing was
  /// reported for a long time.
  void finished(const FinishedStep& step, const Progress& before);
  /// `done` of `all` things ("batches", "lines") of a validation. Reported only if nothing else was for a long time.
  void validating(int64_t done, int64_t all, std::string_view things);
  void validated(const ValidationReport& report);

  const MeterState& state() const { return meter_.state(); }
  void load(const MeterState& state) { meter_.load(state); }

 private:
  TrainingReport training_report() const;
  void report_training();
  void report_progress();
  void report_forecast();

  const TrainerSetup& setup_;
  const TrainingSteps& steps_;
  const TrainingClock& clock_;
  Observer& observers_;
  Meter meter_;
  ReportTimer timer_;
  Forecaster forecaster_;
  Progress started_at_;  // progress when this process started
};

}  // namespace heed::training
