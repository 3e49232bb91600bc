// Adds up what is reported of the updates since the last report.
#pragma once

#include <cstdint>

#include "heed/data/batch.h"
#include "heed/training/observer.h"
#include "heed/training/update_computer.h"

namespace heed::training {

class Meter {
 public:
  /// One update and the seconds that getting and making it took. A skipped one counts in time and tokens, not in the
  /// loss.
  void add(const data::Update& update, const ComputedUpdate& computed, const TimeSplit& seconds);
  /// Means and rates since the last call, the rest of the report left as it is; begins anew. Rates are per second of
  /// making updates: validation and saving are not in them.
  void report(TrainingReport& report);

 private:
  double loss_ = 0, nll_ = 0;  // sums over target tokens of good updates
  double good_tokens_ = 0;     // target tokens of those
  double source_tokens_ = 0, target_tokens_ = 0;
  double gradient_norm_ = 0;
  TimeSplit time_;
};

}  // namespace heed::training
