#include "heed/metrics/oracle.h"

#include <utility>

namespace heed::metrics {

Oracle::Oracle(std::shared_ptr<const Metric> metric)
    : metric_(std::move(metric)),
      extractor_(metric_->extractor()),
      row_(metric_->statistics_size()),
      chosen_(metric_->statistics_size()) {}

size_t Oracle::choose(std::span<const std::string_view> texts, std::string_view reference) {
  size_t best = 0;
  double highest = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    extractor_->extract(texts[i], {&reference, 1}, row_);
    const double value = metric_->value(Sums(row_));
    if (i > 0 && value <= highest) continue;
    best = i;
    highest = value;
    chosen_ = row_;
  }
  return best;
}

}  // namespace heed::metrics
