#include "heed_torch/training/meter.h"

#include <limits>

namespace heed::training {

void Meter::add(const data::StepBatch& step, const StepResult& computed, const TimeSplit& seconds) {
  const auto tokens = static_cast<double>(step.target_tokens);
  sums_.source_tokens += static_cast<double>(step.source_tokens);
  sums_.target_tokens += tokens;
  sums_.time.data += seconds.data;
  sums_.time.forward += seconds.forward;
  sums_.time.backward += seconds.backward;
  sums_.time.exchange += seconds.exchange;
  sums_.time.optimizer += seconds.optimizer;
  gradient_norm_ = computed.gradient_norm;
  if (!computed.finite) return;
  sums_.objective += computed.loss * tokens;
  sums_.loss += computed.nll * tokens;
  sums_.good_tokens += tokens;
}

void Meter::report(TrainingReport& report) {
  preview(report);
  sums_ = {};
}

void Meter::preview(TrainingReport& report) const {
  const TimeSplit& time = sums_.time;
  const double seconds = time.whole();
  const double none = std::numeric_limits<double>::quiet_NaN();
  report.objective = sums_.good_tokens > 0 ? sums_.objective / sums_.good_tokens : none;
  report.loss = sums_.good_tokens > 0 ? sums_.loss / sums_.good_tokens : none;
  report.gradient_norm = gradient_norm_;
  report.source_tokens_per_second = seconds > 0 ? sums_.source_tokens / seconds : 0;
  report.target_tokens_per_second = seconds > 0 ? sums_.target_tokens / seconds : 0;
  report.time = time;
}

}  // namespace heed::training
