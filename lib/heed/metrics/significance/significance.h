// Statistical significance: bootstrap confidence intervals (Koehn 2004, https://aclanthology.org/W04-3250) and, for
// comparisons with a baseline, paired bootstrap resampling and paired approximate randomization (Riezler and Maxwell
// 2005, https://aclanthology.org/W05-0908). With the same seed, means, intervals and p-values are bit-identical to
// sacreBLEU 2.6 with NumPy 1.24.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/metrics/significance/resampling.h"

namespace heed::metrics {

/// The mean of resampled scores, and half the width of the interval that holds the middle 95% of them.
struct Confidence {
  double mean = 0;
  double half_width = 0;
};

/// As in sacreBLEU for a single system: the mean is exact and rounded once. scores: not empty.
Confidence confidence_of(std::vector<double> scores);

struct Bootstrap {
  int64_t samples = 0;
  NumpySeed seed;
};
/// The confidence interval of one system, from resamples of its segments.
Confidence bootstrap_confidence(const SystemStatistics& measured, const Bootstrap& bootstrap, int64_t threads = 1);

enum class PairedMethod { Bootstrap, Randomization };

struct PairedTest {
  PairedMethod method = PairedMethod::Bootstrap;
  int64_t samples = 1000;   ///< resamples, or trials of the randomization
  NumpySeed seed;           ///< for all comparisons with the baseline
  NumpySeed baseline_seed;  ///< for the baseline's confidence interval
  int64_t threads = 1;
};

/// The result of one system in a paired test.
struct PairedResult {
  double score = 0;
  /// The probability that a system equal to the baseline differs at least as much; absent for the baseline.
  std::optional<double> p_value = {};
  /// For the bootstrap only.
  std::optional<Confidence> confidence = {};
};

/// results[m][s] belongs to systems[m][s]: metric m, system s. systems[m][0] is the baseline. All have the same number
/// of segments, at least one.
std::vector<std::vector<PairedResult>> paired_test(const PairedTest& test,
                                                   std::span<const std::vector<SystemStatistics>> systems);

}  // namespace heed::metrics
