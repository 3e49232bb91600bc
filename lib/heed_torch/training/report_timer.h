// Decides when a progress report is due by the clock, in addition to the reports by the amount of training.
#pragma once

#include "heed/report/training_clock.h"

namespace heed::training {

class ReportTimer {
 public:
  /// interval: a report is due this many seconds after the last one.
  explicit ReportTimer(double interval, Clock::time_point now = Clock::now()) : interval_(interval), last_(now) {}
  bool is_due(Clock::time_point now = Clock::now()) const { return seconds_between(last_, now) >= interval_; }
  void reported(Clock::time_point now = Clock::now()) { last_ = now; }

 private:
  double interval_;
  Clock::time_point last_;
};

}  // namespace heed::training
