// `heed evaluate --by-length`: scores against sentence length, as tables and as a figure.
#pragma once

#include <string>
#include <vector>

#include "evaluate/evaluate_options.h"
#include "heed/core/files/atomic_file.h"
#include "heed/metrics/metric.h"
#include "heed/metrics/significance/resampling.h"
#include "heed/metrics/significance/significance.h"

namespace heed::apps {

/// What one metric says of every line of each system.
struct LineScores {
  const metrics::Metric& metric;
  std::string signature;
  std::vector<metrics::CorpusStatistics> systems;
};

struct LengthReportStyle {
  int decimals = 1;
  int64_t threads = 1;
  std::optional<metrics::Bootstrap> bootstrap = {};  ///< for confidence intervals; none: there are none
};

/// Throws ConfigError for options that do not fit together.
void validate(const ByLengthOptions& options, size_t systems);

/// The length of each line of the file that `options` names, else of `references`. Throws InputError unless the file
/// has as many lines as there are references.
std::vector<int64_t> line_lengths(const ByLengthOptions& options, const metrics::References& references);

/// A table for each metric; writes and commits the figure unless that is null. names: of the systems. Throws FileError.
std::string length_report(const ByLengthOptions& options, const std::vector<std::string>& names,
                          const std::vector<int64_t>& lengths, const std::vector<LineScores>& scores,
                          const LengthReportStyle& style, AtomicFile* figure);

}  // namespace heed::apps
