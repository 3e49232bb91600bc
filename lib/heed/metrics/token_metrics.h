// Metrics of white-space-separated tokens: length ratio and token accuracy.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// Tokens of the hypotheses / tokens of the references; below 1, translations are too short. Of several references, the
/// one closest in length counts (ties: the shorter one), as in BLEU. Statistics: both lengths.
class LengthRatio final : public Metric {
 public:
  std::string name() const override { return "length ratio"; }
  size_t statistics_size() const override { return 2; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without reference tokens.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
  /// At least three.
  int decimals(int asked) const override;
};

/// The percentage of hypothesis tokens that the reference has at the same position. Of several references, the one with
/// the most counts. Statistics: these tokens, all tokens of the hypothesis. For tasks with one correct answer; tokens
/// that the hypothesis lacks do not count.
class TokenAccuracy final : public Metric {
 public:
  std::string name() const override { return "token accuracy"; }
  size_t statistics_size() const override { return 2; }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without tokens.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;
};

}  // namespace heed::metrics
