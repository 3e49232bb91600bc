// The steps of a training. A step takes the next batch, computes its gradient, and changes the parameters with the
// learning rate of the schedule. It is skipped if its loss or gradient is not finite.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "heed/core/amount.h"
#include "heed/data/batches/batch_stream.h"
#include "heed/report/observer.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/optimization/schedule.h"
#include "heed_torch/training/step/gradient_computer.h"
#include "heed_torch/training/step/precision.h"
#include "heed_torch/training/step/recurrent_states.h"
#include "heed_torch/training/step/skipped_steps.h"
#include "heed_torch/training/trainer_setup.h"
#include "heed_torch/training/training_state.h"

namespace heed::training {

/// A step that was made or skipped.
struct FinishedStep {
  data::StepBatch batch;
  StepResult result;
  TimeSplit time;
  std::string skipped = {};  ///< why it was skipped, as a sentence without its end; empty: it was made, or float16
                             ///< overflowed
};

class TrainingSteps {
 public:
  /// `setup` must outlive the steps.
  explicit TrainingSteps(const TrainerSetup& setup);

  /// Waits for the batch of the next step: see BatchStream::wait.
  data::Waited wait(const std::function<bool()>& gives_up) { return stream_.wait(gives_up); }
  /// Makes the next step, whose batch must exist. elapsed_seconds: since the start of training, the value that all
  /// ranks agreed on. Throws Error after train.max-nonfinite-steps skipped steps in a row.
  FinishedStep make(double elapsed_seconds);
  /// Takes the result of a validation, for the plateau schedule.
  void validated(bool better) { schedule_.validated(better); }

  /// Resumes where `saved` was. What was saved under other conditions is reset: see StateConditions.
  void load(const TrainingState& saved, const SameConditions& same);
  /// The state that load() reads; the other members have their defaults.
  TrainingState state() const;

  const Progress& progress() const { return progress_; }
  int64_t count() const { return std::llround(progress_.steps); }  ///< steps since the start of training
  int64_t epoch() const;                                           ///< the current one, from 1
  double learning_rate() const { return learning_rate_; }          ///< of the last step
  int64_t skipped() const { return skipped_.state().skipped; }     ///< since the start of training
  /// Whether the last step was skipped because of the parameters.
  bool last_was_bad() const { return skipped_.state().bad_in_a_row > 0; }
  int64_t bytes_sent() const { return computer_.bytes_sent() + optimizer_->shared_work().bytes_sent; }
  int64_t replicas() const { return computer_.replicas(); }
  Optimizer& optimizer() { return *optimizer_; }
  data::StreamPosition position() const { return stream_.position(); }  ///< of the next batch

 private:
  std::string skip(const FinishedStep& step);

  const TrainerSetup& setup_;
  std::unique_ptr<Optimizer> optimizer_;
  data::BatchStream stream_;
  RecurrentStates carried_;  // of a continuous text
  GradientComputer computer_;
  Schedule schedule_;
  LossScaler scaler_;
  SkippedSteps skipped_;
  Progress progress_;
  double waited_ = 0;  // seconds that the stream waited for data before the last step
  double learning_rate_ = 0;
};

}  // namespace heed::training
