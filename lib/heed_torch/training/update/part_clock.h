// How long the two passes of a part take. A device computes behind the host, so that the host's clock tells when work
// was handed over and not when it was done: there the device itself marks the times.
#pragma once

#include <vector>

#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include "heed/report/training_clock.h"

namespace heed::training {

class PartClock {
 public:
  explicit PartClock(c10::Device device) : device_(device) {}

  /// Marks the beginning, the end of the forward pass and that of the backward pass, in turn.
  void mark();

  /// Both need all three marks, and that the device was waited for since the last one.
  double forward_seconds() const { return seconds(0); }
  double backward_seconds() const { return seconds(1); }

 private:
  double seconds(size_t first) const;

  c10::Device device_;
  std::vector<Clock::time_point> times_;  // of the host, for a part on the CPU
  std::vector<c10::Event> events_;        // of another device
};

}  // namespace heed::training
