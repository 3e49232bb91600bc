// Errors of predicted numbers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

enum class Deviation { Squared, Absolute };

/// Mean squared error, the mean of (x - y)^2, or mean absolute error, the mean of |x - y|, over all numbers x of the
/// lines and y of the references; lower is better. Numbers are separated by white space. Throws Error if a line does
/// not have one reference with the same number of numbers, or if something is not a finite number. Statistics: the sum
/// of the errors, the number of numbers.
class MeanError final : public Metric {
 public:
  explicit MeanError(Deviation deviation) : deviation_(deviation) {}

  std::string name() const override { return deviation_ == Deviation::Squared ? "MSE" : "MAE"; }
  size_t statistics_size() const override { return 2; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without numbers.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
  /// At least four.
  int decimals(int asked) const override;

 private:
  Deviation deviation_;
};

}  // namespace heed::metrics
