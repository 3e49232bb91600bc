// Results printed as in sacreBLEU 2.6, byte for byte: lines and JSON for one system; tables, LaTeX and JSON for
// several.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/metrics/metric.h"
#include "heed/metrics/significance/significance.h"

namespace heed::metrics {

enum class ReportFormat { Json, Text, Latex };
constexpr auto option_names(ReportFormat) {
  return std::array{std::pair{ReportFormat::Json, "json"}, std::pair{ReportFormat::Text, "text"},
                    std::pair{ReportFormat::Latex, "latex"}};
}

struct ReportStyle {
  ReportFormat format = ReportFormat::Json;
  int decimals = 1;
  bool score_only = false;       ///< for one system: only the score and its confidence interval
  bool short_signature = false;  ///< in text formats
  bool colors = false;           ///< terminal codes that highlight important parts
};

/// The score of one system with one metric.
struct Result {
  Score score;
  std::optional<Confidence> confidence = {};
  Signature signature;
};

/// "BLEU|SIGNATURE = 48.5 (μ = 48.6 ± 0.7) 82.4/50.0/..."; with style.score_only only the score and confidence
/// interval.
std::string result_line(const Result& result, const ReportStyle& style);

/// The scores of one system with several metrics. Text is aligned at the equals signs.
std::string single_system_report(const std::vector<Result>& results, const ReportStyle& style);

/// The scores of several systems with one metric: a column of the table.
struct MetricColumn {
  std::string name;
  Signature signature;
  std::vector<PairedResult> results;
  int least_decimals = 0;  ///< the metric needs at least this many
};

/// The statistics of several systems' outputs for one metric, the baseline's first.
struct MeasuredSystems {
  const Metric& metric;
  std::vector<CorpusStatistics> systems;
};
/// The columns of a paired test. Their signatures include its samples and `seed`.
std::vector<MetricColumn> paired_columns(const PairedTest& test, const std::vector<MeasuredSystems>& measured,
                                         SignatureContext context, const std::string& seed);

/// What the report says about a paired test.
struct PairedTestNote {
  PairedMethod method = PairedMethod::Bootstrap;
  int64_t samples = 0;  ///< as given by the user
};

/// Without `paired`, prints only the scores.
std::string systems_report(const std::vector<std::string>& systems, const std::vector<MetricColumn>& metrics,
                           const std::optional<PairedTestNote>& paired, const ReportStyle& style);

}  // namespace heed::metrics
