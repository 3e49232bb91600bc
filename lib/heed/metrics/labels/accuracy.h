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
  Score score(std::span<const double> sums) const override;
  double resampled_score(std::span<const float> sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override { return {}; }
  std::string_view version() const override { return ""; }
};

}  // namespace heed::metrics
