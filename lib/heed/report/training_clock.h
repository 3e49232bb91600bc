// The duration of a training, summed over all the processes that worked on it.
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
  double elapsed_seconds = 0;    ///< by the clock on the wall, while a process ran
  double processor_seconds = 0;  ///< of all threads together: what it cost, whatever else the machine did
  bool operator==(const TimeSpent&) const = default;
};

/// Runs from its construction on.
class TrainingClock {
 public:
  /// Adds what earlier processes have spent.
  void go_on_from(const TimeSpent& before) { before_ = before; }
  /// Of this process alone.
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
