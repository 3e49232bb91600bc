#include "heed_torch/training/step/micro_batch_timer.h"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace heed::training {

void MicroBatchTimer::mark() {
  if (device_.is_cpu()) {
    times_.push_back(Clock::now());
    return;
  }
  const c10::impl::VirtualGuardImpl device(device_.type());
  events_.emplace_back(device_.type(), c10::EventFlag::BACKEND_DEFAULT).record(device.getStream(device_));
}

double MicroBatchTimer::seconds(size_t first) const {
  if (device_.is_cpu()) return seconds_between(times_.at(first), times_.at(first + 1));
  return events_.at(first).elapsedTime(events_.at(first + 1)) / 1000;
}

}  // namespace heed::training
