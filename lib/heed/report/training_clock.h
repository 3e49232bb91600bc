// The duration of a training run, summed over all its processes.
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

}  // namespace heed::training
