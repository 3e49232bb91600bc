// Statistical significance: bootstrap confidence intervals (Koehn 2004, https://aclanthology.org/W04-3250) and, against
// a baseline, paired bootstrap resampling and paired approximate randomization (Riezler and Maxwell 2005,
// https://aclanthology.org/W05-0908). Means, intervals and p-values are those of sacreBLEU 2.6 with NumPy 1.24 to the
// last bit for the same seed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/metrics/significance/resampling.h"

namespace heed::metrics {

/// Of resampled scores: their mean, and half the width of the range that the middle 95% of them take.
struct Confidence {
  double mean = 0;
  double half_width = 0;
};

/// As sacreBLEU computes it for a single system: the mean is exact, rounded once. `scores` is not empty.
Confidence confidence_of(std::vector<double> scores);

struct Bootstrap {
  int64_t samples = 0;
  NumpySeed seed;
};
/// Of one system's score on resamples of its segments.
Confidence bootstrap_confidence(const Measured& measured, const Bootstrap& bootstrap, int64_t threads = 1);

enum class PairedMethod { Bootstrap, Randomization };

struct PairedTest {
  PairedMethod method = PairedMethod::Bootstrap;
  int64_t samples = 1000;   ///< resamples, or trials of the randomization
  NumpySeed seed;           ///< of every comparison with the baseline
  NumpySeed baseline_seed;  ///< of the baseline's confidence
  int64_t threads = 1;
};

/// A system in a paired test.
struct PairedResult {
  double score = 0;
  /// How probable it is that a system no different from the baseline differs at least as much; absent for the baseline.
  std::optional<double> p_value = {};
  /// Only the bootstrap gives it.
  std::optional<Confidence> confidence = {};
};

/// results[m][s] is for systems[m][s], the s-th system under the m-th metric; systems[m][0] is the baseline. All have
/// the same number of segments, at least one.
std::vector<std::vector<PairedResult>> paired_test(const PairedTest& test,
                                                   std::span<const std::vector<Measured>> systems);

}  // namespace heed::metrics
