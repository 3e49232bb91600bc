// What both command lines of `heed evaluate` share: systems, their references and metrics, and the scores.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/metrics/reports/score_report.h"

namespace heed::apps {

/// The lines of a file without white space at their ends, as sacreBLEU compares them.
std::vector<std::string> stripped_lines(LineReader reader);

/// Python's text.split(separator, most_splits); a negative number means no limit.
std::vector<std::string> split(std::string_view text, char separator, int64_t most_splits = -1);

struct Evaluation {
  std::vector<std::string> names;                 ///< of the systems
  std::vector<std::vector<std::string>> systems;  ///< the lines of each system
  metrics::References references;
  std::vector<std::unique_ptr<const metrics::Metric>> metrics = {};
  metrics::ReportStyle style = {};
  int64_t threads = 1;
  std::optional<metrics::Bootstrap> bootstrap = {};  ///< for confidence intervals; absent: no intervals
  std::string seed = {};                             ///< of the bootstrap or paired test, as in signatures

  metrics::SignatureContext context() const;
  metrics::CorpusStatistics extract(const metrics::Metric& metric, size_t system) const;
  metrics::MeasuredSystems extract_all(const metrics::Metric& metric) const;
  metrics::Result result(const metrics::Metric& metric, const metrics::CorpusStatistics& statistics) const;
  /// samples: as given by the user.
  std::string paired_report(const metrics::PairedTest& test, const std::vector<metrics::MeasuredSystems>& measured,
                            int64_t samples) const;

  /// Calls `make`. Adds a system's name to errors about one of its lines.
  template <class Make>
  auto naming(size_t system, const Make& make) const {
    try {
      return make();
    } catch (const metrics::LineError& error) {
      throw InputError(names[system], error.line(), error.reason());
    }
  }
};

}  // namespace heed::apps
