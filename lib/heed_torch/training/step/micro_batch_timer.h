// Measures how long the forward and the backward pass of a micro-batch take. Another device than the CPU computes
// asynchronously, so its own events measure the time. The host's clock would only show when work was queued.
#pragma once

#include <vector>

#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include "heed/report/training_clock.h"

namespace heed::training {

class MicroBatchTimer {
 public:
  explicit MicroBatchTimer(c10::Device device) : device_(device) {}

  /// Marks a time: call it at the beginning, after the forward pass and after the backward pass.
  void mark();

  /// Both need all three marks, and the host must have waited for the device after the last one.
  double forward_seconds() const { return seconds(0); }
  double backward_seconds() const { return seconds(1); }

 private:
  double seconds(size_t first) const;

  c10::Device device_;
  std::vector<Clock::time_point> times_;  // of the host, for a micro-batch on the CPU
  std::vector<c10::Event> events_;        // of another device
};

}  // namespace heed::training
