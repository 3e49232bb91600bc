// Results as sacreBLEU 2.6 prints them, byte for byte: lines and JSON for one system, tables, LaTeX and JSON for
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
  bool score_only = false;       ///< of one system: the number and its confidence, nothing else
  bool short_signature = false;  ///< in text
  bool colors = false;           ///< codes for terminals that emphasize what matters
};

/// One system under one metric.
struct Result {
  Score score;
  std::optional<Confidence> confidence = {};
  Signature signature;
};

/// "BLEU|SIGNATURE = 48.5 (μ = 48.6 ± 0.7) 82.4/50.0/..."; with style.score_only the number and confidence alone.
std::string result_line(const Result& result, const ReportStyle& style);

/// One system under each metric. Text that is not JSON is aligned at the equals signs.
std::string single_system_report(const std::vector<Result>& results, const ReportStyle& style);

/// Several systems under one metric, each in a cell of the table.
struct MetricColumn {
  std::string name;
  Signature signature;
  std::vector<PairedResult> results;
  int least_decimals = 0;  ///< fewer would tell nothing
};

/// What several systems' outputs are under one metric, the baseline's first.
struct MeasuredSystems {
  const Metric& metric;
  std::vector<CorpusStatistics> systems;
};
/// The columns of a paired test, with its samples and `seed` in their signatures.
std::vector<MetricColumn> paired_columns(const PairedTest& test, const std::vector<MeasuredSystems>& measured,
                                         SignatureContext context, const std::string& seed);

/// What the report says about a paired test that was made.
struct PairedTestNote {
  PairedMethod method = PairedMethod::Bootstrap;
  int64_t samples = 0;  ///< as the user gave them
};

/// Without `paired` only the scores of the results are printed.
std::string systems_report(const std::vector<std::string>& systems, const std::vector<MetricColumn>& metrics,
                           const std::optional<PairedTestNote>& paired, const ReportStyle& style);

}  // namespace heed::metrics
