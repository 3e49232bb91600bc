// Scores of resampled test sets, computed from the statistics of the segments alone. The random numbers are NumPy's, in
// sacreBLEU's order; the results are the same for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/metrics/metric.h"
#include "heed/metrics/significance/numpy_random.h"

namespace heed::metrics {

/// What a system's output is under one metric. Refers to both.
struct Measured {
  const Metric& metric;
  const CorpusStatistics& statistics;
};

/// Scores on `samples` resamples of the segments, drawn with replacement: scores[i] are those of measured[i]. All of
/// `measured` see the same resamples; they have the same number of segments, at least one.
std::vector<std::vector<double>> bootstrap_scores(std::span<const Measured> measured, int64_t samples,
                                                  const NumpySeed& seed, int64_t threads = 1);

/// Two systems under one metric.
struct MeasuredPair {
  Measured first;
  Measured second;
};

/// The absolute score difference of each pair after each of `trials` in which every segment's outputs change sides
/// with probability 1/2: differences[i] are those of pairs[i]. All pairs see the same trials; all have the same number
/// of segments, at least one.
std::vector<std::vector<double>> shuffled_differences(std::span<const MeasuredPair> pairs, int64_t trials,
                                                      const NumpySeed& seed, int64_t threads = 1);

}  // namespace heed::metrics
