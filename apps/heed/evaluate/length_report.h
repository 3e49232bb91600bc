// `heed evaluate --by-length`: scores by sentence length, as tables and as a figure.
#pragma once

#include <string>
#include <vector>

#include "evaluate/evaluate_options.h"
#include "heed/core/files/atomic_file.h"
#include "heed/metrics/metric.h"
#include "heed/metrics/significance/resampling.h"
#include "heed/metrics/significance/significance.h"

namespace heed::apps {

/// The statistics of one metric for every line of each system.
struct LineScores {
  const metrics::Metric& metric;
  std::string signature;
  std::vector<metrics::CorpusStatistics> systems;
};

struct LengthReportStyle {
  int decimals = 1;
  int64_t threads = 1;
  std::optional<metrics::Bootstrap> bootstrap = {};  ///< for confidence intervals; absent: no intervals
};

/// Throws ConfigError if options do not fit together.
void validate(const ByLengthOptions& options, size_t systems);

/// The length of each line of the file in `options`, or else of the first reference. Throws InputError unless the file
/// has as many lines as there are references.
std::vector<int64_t> line_lengths(const ByLengthOptions& options, const metrics::References& references);

/// The report: one table per metric. Writes and commits the figure unless it is null. names: of the systems. Throws
/// FileError.
std::string length_report(const ByLengthOptions& options, const std::vector<std::string>& names,
                          const std::vector<int64_t>& lengths, const std::vector<LineScores>& scores,
                          const LengthReportStyle& style, AtomicFile* figure);

}  // namespace heed::apps
