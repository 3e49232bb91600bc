// Accuracy of labels.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The percentage of labels that equal the reference's label at the same position. Throws Error if a line does not have
/// one reference with the same number of labels. Statistics: correct labels, all labels.
class Accuracy final : public Metric {
 public:
  std::string name() const override { return "accuracy"; }
  size_t statistics_size() const override { return 2; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without labels.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
};

}  // namespace heed::metrics
