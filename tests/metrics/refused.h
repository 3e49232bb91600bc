// What a metric says of lines that it refuses.
#pragma once

#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The message of the LineError for a second line behind one that fits; empty: there was none.
inline std::string refused(const Metric& metric, const std::string& fitting, const std::string& hypothesis,
                           const std::vector<std::string>& references) {
  try {
    metric.corpus_score(std::vector{fitting, hypothesis}, References::from_lines({{fitting}, references}));
  } catch (const LineError& error) {
    return error.what();
  }
  return "";
}

}  // namespace heed::metrics
