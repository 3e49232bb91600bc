#include <fmt/format.h>

#include "gradients/gradients.h"
#include "heed/report/line_chart.h"

namespace heed::benchmarks {

std::vector<int64_t> GradientSettings::distances() const {
  std::vector<int64_t> all{0};
  for (int64_t distance = 1; distance <= longest; distance *= 2) all.push_back(distance);
  return all;
}

std::string gradient_table(const GradientSettings& settings, const std::vector<GradientCurve>& curves) {
  std::string head = "| layer |", rule = "|---|", rows;
  for (const int64_t distance : settings.distances()) {
    head += fmt::format(" k = {} |", distance);
    rule += "---:|";
  }
  for (const GradientCurve& curve : curves) {
    rows += fmt::format("| {} |", curve.layer);
    for (const double share : curve.shares) rows += fmt::format(" {:.2g} |", share);
    rows += '\n';
  }
  return head + '\n' + rule + '\n' + rows;
}

std::string gradient_figure(const GradientSettings& settings, const std::vector<GradientCurve>& curves) {
  report::LineChart chart{
      .title = "What of the gradient reaches a word k positions before",
      .x_label = "distance k",
      .y_label = "norm of the gradient, as a share of that at k = 0",
      .categories = {},
      .lines = {},
      .caption = fmt::format("one layer of width {} with its initial values; {} sentences, {} seeds", settings.width,
                             settings.sentences, settings.seeds),
      .decimals = 6,
      .scale = report::Scale::Logarithmic};
  for (const int64_t distance : settings.distances()) chart.categories.push_back(std::to_string(distance));
  for (const GradientCurve& curve : curves) chart.lines.push_back({.name = curve.layer, .values = curve.shares});
  return report::svg_document(report::draw_line_chart(chart), chart.title, gradient_table(settings, curves));
}

}  // namespace heed::benchmarks
