// Sums over the steps since the last report: losses, tokens and times.
#pragma once

#include <cstdint>

#include "heed/data/corpus/micro_batch.h"
#include "heed/report/observer.h"
#include "heed_torch/training/step/gradient_computer.h"

namespace heed::training {

/// Sums since the last report. A checkpoint saves them, so that a resumed training reports the same means.
struct MeterState {
  double objective = 0, loss = 0;  ///< sums over the target tokens of good steps
  double good_tokens = 0;          ///< target tokens of good steps
  double source_tokens = 0, target_tokens = 0;
  TimeSplit time = {};
  bool operator==(const MeterState&) const = default;
};
void describe_members(TimeSplit& seconds, auto& visit) {
  visit("data", seconds.data);
  visit("forward", seconds.forward);
  visit("backward", seconds.backward);
  visit.added("exchange", seconds.exchange);
  visit("update", seconds.optimizer);
}
void describe_members(MeterState& sums, auto& visit) {
  visit("objective", sums.objective);
  visit("loss", sums.loss);
  visit("good_tokens", sums.good_tokens);
  visit("source_tokens", sums.source_tokens);
  visit("target_tokens", sums.target_tokens);
  visit("seconds", sums.time);
}

class Meter {
 public:
  /// Adds one step and the seconds spent on waiting for it and computing it. A skipped step counts in time and
  /// tokens, but not in the loss.
  void add(const data::StepBatch& step, const StepResult& computed, const TimeSplit& seconds);
  /// Fills in means and rates since the last call and resets the sums; leaves the other fields of the report. Rates are
  /// per second of computing steps, without validation and saving.
  void report(TrainingReport& report);
  /// Fills in the same figures without resetting the sums. The next report() is not affected.
  void preview(TrainingReport& report) const;

  const MeterState& state() const { return sums_; }
  void load(const MeterState& state) { sums_ = state; }

 private:
  MeterState sums_;
  double gradient_norm_ = 0;  // of the last step
};

}  // namespace heed::training
