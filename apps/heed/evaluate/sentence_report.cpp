#include "evaluate/sentence_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "heed/core/text/printable.h"

namespace heed::apps {
namespace {

/// Sorts the lines by score, the worst first.
void sort_by_score(std::vector<size_t>& lines, const SentenceScores& metric) {
  std::ranges::stable_sort(lines, std::greater(), [&](size_t line) {
    const double badness = metric.badness(metric.systems[0][line]);
    return std::isnan(badness) ? std::numeric_limits<double>::infinity() : badness;
  });
}

std::string header_of(const std::vector<std::string>& names, const std::vector<SentenceScores>& metrics) {
  std::string header = "line";
  for (const SentenceScores& metric : metrics) {
    for (const std::string& name : names) {
      // Escaped, so that the name contains no TAB.
      header += '\t' + (metrics.size() > 1 ? metric.name + ' ' : std::string()) + printable(name);
    }
  }
  return header + '\n';
}

}  // namespace

std::string sentence_report(const std::vector<std::string>& names, const std::vector<SentenceScores>& metrics,
                            bool worst_first) {
  std::string report;
  for (const SentenceScores& metric : metrics) report += fmt::format("# {}|{}\n", metric.name, metric.signature);
  report += header_of(names, metrics);
  std::vector<size_t> lines(metrics[0].systems[0].size());
  std::iota(lines.begin(), lines.end(), size_t{0});
  if (worst_first) sort_by_score(lines, metrics[0]);
  for (const size_t line : lines) {
    report += fmt::format("{}", line + 1);
    for (const SentenceScores& metric : metrics) {
      for (const auto& scores : metric.systems) report += fmt::format("\t{:.{}f}", scores[line], metric.decimals);
    }
    report += '\n';
  }
  return report;
}

}  // namespace heed::apps
