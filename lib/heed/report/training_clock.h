// The duration of a training run, summed over all its processes, and the time since its last report.
#pragma once

#include <chrono>
#include <ctime>

namespace heed::training {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}
inline double seconds_since(Clock::time_point start) { return seconds_between(start, Clock::now()); }

struct TimeSpent {
  double elapsed_seconds = 0;    ///< wall-clock time while a process ran
  double processor_seconds = 0;  ///< CPU time of all threads: the cost, independent of other load on the machine
  bool operator==(const TimeSpent&) const = default;
};

/// Runs from its construction.
class TrainingClock {
 public:
  /// Adds the time of earlier processes.
  void resume_from(const TimeSpent& before) { before_ = before; }
  /// The time of this process only.
  TimeSpent process_spent() const {
    return {.elapsed_seconds = seconds_since(started_),
            .processor_seconds = static_cast<double>(std::clock() - processor_started_) / CLOCKS_PER_SEC};
  }
  TimeSpent spent() const {
    const TimeSpent here = process_spent();
    return {.elapsed_seconds = before_.elapsed_seconds + here.elapsed_seconds,
            .processor_seconds = before_.processor_seconds + here.processor_seconds};
  }

 private:
  Clock::time_point started_ = Clock::now();
  std::clock_t processor_started_ = std::clock();
  TimeSpent before_;
};

/// Decides when a progress report is due by the clock, in addition to the reports by the amount of training.
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
