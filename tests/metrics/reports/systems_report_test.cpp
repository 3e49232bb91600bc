#include "heed/metrics/reports/score_report.h"

#include <gtest/gtest.h>

namespace heed::metrics {
namespace {

std::vector<MetricColumn> columns_of(std::vector<PairedResult> results) {
  return {{.name = "BLEU", .signature = Signature({}, {}, ""), .results = std::move(results)}};
}

TEST(SystemsReport, StarsWhatIsSignificantAndPaintsTheRest) {
  const auto report = [](double p) {
    return systems_report({"Baseline: a", "b"}, columns_of({{.score = 30}, {.score = 31, .p_value = p}}), std::nullopt,
                          {.format = ReportFormat::Latex, .colors = true});
  };
  EXPECT_NE(report(0.05).find("(p = 0.0500)*"), std::string::npos) << report(0.05);
  EXPECT_NE(report(0.0501).find("\x1b[31m(p = 0.0501)\x1b[0m"), std::string::npos) << report(0.0501);
}

TEST(SystemsReport, PaintsTheBaseline) {
  const auto report = [](const std::string& first) {
    return systems_report({first, "b"}, columns_of({{.score = 30}, {.score = 31}}), std::nullopt,
                          {.format = ReportFormat::Text, .colors = true});
  };
  EXPECT_NE(report("Baseline: a").find("\x1b[33mBaseline: a\x1b[0m"), std::string::npos) << report("Baseline: a");
  EXPECT_EQ(report("a").find("\x1b[33m"), std::string::npos) << report("a");
}

}  // namespace
}  // namespace heed::metrics
