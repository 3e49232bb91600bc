#include "heed/training/meter.h"

#include <limits>

namespace heed::training {

void Meter::add(const data::Update& update, const ComputedUpdate& computed, const TimeSplit& seconds) {
  const auto tokens = static_cast<double>(update.target_tokens);
  source_tokens_ += static_cast<double>(update.source_tokens);
  target_tokens_ += tokens;
  time_.data += seconds.data;
  time_.forward += seconds.forward;
  time_.backward += seconds.backward;
  time_.update += seconds.update;
  gradient_norm_ = computed.gradient_norm;
  if (!computed.finite) return;
  loss_ += computed.loss * tokens;
  nll_ += computed.nll * tokens;
  good_tokens_ += tokens;
}

void Meter::report(TrainingReport& report) {
  const double seconds = time_.data + time_.forward + time_.backward + time_.update;
  const double none = std::numeric_limits<double>::quiet_NaN();
  report.objective = good_tokens_ > 0 ? loss_ / good_tokens_ : none;
  report.loss = good_tokens_ > 0 ? nll_ / good_tokens_ : none;
  report.gradient_norm = gradient_norm_;
  report.source_tokens_per_second = seconds > 0 ? source_tokens_ / seconds : 0;
  report.target_tokens_per_second = seconds > 0 ? target_tokens_ / seconds : 0;
  report.time = time_;
  *this = {};
}

}  // namespace heed::training
