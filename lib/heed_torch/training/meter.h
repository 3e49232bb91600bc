// Sums what the next report tells of the updates since the last one.
#pragma once

#include <cstdint>

#include "heed/data/corpus/batch.h"
#include "heed/report/observer.h"
#include "heed_torch/training/update/update_computer.h"

namespace heed::training {

/// Sums since the last report, which a training that is stopped and goes on takes with it.
struct MeterState {
  double objective = 0, loss = 0;  ///< over target tokens of good updates
  double good_tokens = 0;          ///< target tokens of those
  double source_tokens = 0, target_tokens = 0;
  TimeSplit time = {};
  bool operator==(const MeterState&) const = default;
};

class Meter {
 public:
  /// One update and the seconds that getting and making it took. A skipped one counts in time and tokens, not in the
  /// loss.
  void add(const data::Update& update, const ComputedUpdate& computed, const TimeSplit& seconds);
  /// Means and rates since the last call, the rest of the report left as it is; begins anew. Rates are per second of
  /// making updates: validation and saving are not in them.
  void report(TrainingReport& report);
  /// The same figures so far, for a report in between: the next report() is as if it had not been.
  void preview(TrainingReport& report) const;

  const MeterState& state() const { return sums_; }
  void load(const MeterState& state) { sums_ = state; }

 private:
  MeterState sums_;
  double gradient_norm_ = 0;  // of the last update
};

}  // namespace heed::training
