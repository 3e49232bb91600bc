// Scores of resampled test sets, computed only from the statistics of the segments. The random numbers are NumPy's, in
// sacreBLEU's order. The results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/metrics/metric.h"
#include "heed/metrics/significance/numpy_random.h"

namespace heed::metrics {

/// The statistics of a system's output for one metric. Refers to both.
struct SystemStatistics {
  const Metric& metric;
  const CorpusStatistics& statistics;
};

/// Bootstrap: scores of `samples` resamples of the segments, sampled with replacement. scores[i] belongs to
/// measured[i]. All use the same resamples and have the same number of segments, at least one.
std::vector<std::vector<double>> bootstrap_scores(std::span<const SystemStatistics> measured, int64_t samples,
                                                  const NumpySeed& seed, int64_t threads = 1);

/// Two systems and one metric.
struct MeasuredPair {
  SystemStatistics first;
  SystemStatistics second;
};

/// Approximate randomization: in each of `trials`, the two outputs of every segment are swapped with probability 1/2.
/// differences[i] are the absolute score differences of pairs[i] in all trials. All pairs use the same trials and have
/// the same number of segments, at least one.
std::vector<std::vector<double>> shuffled_differences(std::span<const MeasuredPair> pairs, int64_t trials,
                                                      const NumpySeed& seed, int64_t threads = 1);

/// The exact mean, rounded once, bit-identical to Python's statistics.mean, which sacreBLEU uses for the confidence
/// interval of a single system. values: at least one, finite, with magnitudes below 2^64.
double exact_mean(std::span<const double> values);

/// Pairwise summation in blocks of 8192, divided by the count, bit-identical to numpy.mean (NumPy 1.24), which
/// sacreBLEU uses in paired tests. values: at least one.
double numpy_mean(std::span<const double> values);

}  // namespace heed::metrics
