#include "heed/curation/report/charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/text/counted.h"
#include "heed/report/markup.h"

namespace heed::curation {
namespace {

using report::escaped;
using report::short_number;
using report::svg_text;

constexpr double kWidth = 520, kHeight = 200;
constexpr double kLeft = 56, kBottom = 40, kTop = 12;

std::string svg(double width, double height, std::string_view label, const std::string& elements) {
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">{3}</svg>",
      short_number(width), short_number(height), escaped(label), elements);
}

double scaled(int64_t count, BarScale scale) {
  return scale == BarScale::Linear ? static_cast<double>(count) : std::log10(1 + static_cast<double>(count));
}

std::string axis_number(int64_t count) {
  if (count >= 10'000'000) return fmt::format("{}M", count / 1'000'000);
  return count >= 10'000 ? fmt::format("{}k", count / 1000) : fmt::format("{}", count);
}

/// Lines and numbers for a count axis up to `most`.
std::string count_axis(int64_t most, BarScale scale) {
  std::vector<int64_t> marks;
  if (scale == BarScale::Logarithmic) {
    for (int64_t mark = 1; mark <= most; mark *= 10) marks.push_back(mark);
  } else {
    const double step = std::pow(10, std::floor(std::log10(std::max(1.0, static_cast<double>(most)))));
    const double fine = static_cast<double>(most) / step < 2   ? step / 4
                        : static_cast<double>(most) / step < 5 ? step / 2
                                                               : step;
    const auto whole = std::max<int64_t>(1, static_cast<int64_t>(fine));
    for (int64_t mark = whole; mark <= most; mark += whole) marks.push_back(mark);
  }
  std::string elements;
  for (const int64_t mark : marks) {
    const double y = kTop + kHeight * (1 - scaled(mark, scale) / scaled(most, scale));
    elements += fmt::format("<path class=\"grid\" d=\"M{} {}H{}\"/>", short_number(kLeft), short_number(y),
                            short_number(kLeft + kWidth));
    elements += svg_text(kLeft - 6, y + 4, axis_number(mark), "class=\"tick\" text-anchor=\"end\"");
  }
  return elements;
}

}  // namespace

std::string histogram_chart(const HistogramChart& chart) {
  const size_t ranges = chart.sides[0]->counts.size();
  int64_t most = 1;
  for (const Histogram* side : chart.sides) most = std::max(most, *std::ranges::max_element(side->counts));
  std::string elements = count_axis(most, chart.scale);
  const double width = kWidth / static_cast<double>(ranges);
  const double bar = (width - 1) / static_cast<double>(chart.sides.size());
  for (size_t s = 0; s < chart.sides.size(); ++s) {
    const Histogram& side = *chart.sides[s];
    for (size_t i = 0; i < ranges; ++i) {
      if (side.counts[i] == 0) continue;
      const double height = std::max(1.0, kHeight * scaled(side.counts[i], chart.scale) / scaled(most, chart.scale));
      const double begin = side.begin + side.step * static_cast<double>(i);
      elements += fmt::format(
          "<rect class=\"s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} to {}: {}{}</title></rect>",
          s + 1, short_number(kLeft + width * static_cast<double>(i) + bar * static_cast<double>(s)),
          short_number(kTop + kHeight - height), short_number(bar), short_number(height), escaped(chart.label(begin)),
          escaped(chart.label(begin + side.step)), counted(side.counts[i], "pair"),
          chart.sides.size() < 2 ? ""
          : s == 0               ? ", source"
                                 : ", target");
    }
  }
  const Histogram& first = *chart.sides[0];
  for (size_t i = 0; i <= ranges; i += chart.label_every) {
    elements += svg_text(kLeft + width * static_cast<double>(i), kTop + kHeight + 16,
                         chart.label(first.begin + first.step * static_cast<double>(i)),
                         "class=\"tick\" text-anchor=\"middle\"");
  }
  elements +=
      svg_text(kLeft + kWidth / 2, kTop + kHeight + 34, chart.x_label, "class=\"label\" text-anchor=\"middle\"");
  return svg(kLeft + kWidth + 24, kTop + kHeight + kBottom, chart.x_label, elements);
}

std::string joint_lengths_chart(const DataReport& report) {
  constexpr double kCell = 12;
  constexpr auto kRanges = DataReport::kLengths;
  constexpr double kSize = kCell * static_cast<double>(kRanges);
  int64_t most = 1;
  for (const auto& row : report.lengths) most = std::max(most, *std::ranges::max_element(row));
  std::string elements;
  for (size_t s = 0; s < kRanges; ++s) {
    for (size_t t = 0; t < kRanges; ++t) {
      const int64_t count = report.lengths[s][t];
      if (count == 0) continue;
      const double opacity =
          0.12 + 0.88 * std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
      elements += fmt::format(
          "<rect class=\"s1\" x=\"{}\" y=\"{}\" width=\"11\" height=\"11\" opacity=\"{}\"><title>{}-{} words, {}-{} words: {}</title></rect>",
          short_number(kLeft + kCell * static_cast<double>(s)),
          short_number(kTop + kSize - kCell * static_cast<double>(t + 1)), short_number(opacity), 2 * s, 2 * s + 1,
          2 * t, 2 * t + 1, counted(count, "pair"));
    }
  }
  for (size_t i = 0; i <= kRanges; i += 5) {
    const double place = kCell * static_cast<double>(i);
    const std::string words = fmt::format("{}{}", 2 * i, i == kRanges ? "+" : "");
    elements += svg_text(kLeft + place, kTop + kSize + 16, words, "class=\"tick\" text-anchor=\"middle\"");
    elements += svg_text(kLeft - 6, kTop + kSize - place + 4, words, "class=\"tick\" text-anchor=\"end\"");
  }
  elements +=
      svg_text(kLeft + kSize / 2, kTop + kSize + 34, "words of the source", "class=\"label\" text-anchor=\"middle\"");
  elements += fmt::format("<g transform=\"translate(14 {}) rotate(-90)\">{}</g>", short_number(kTop + kSize / 2),
                          svg_text(0, 0, "words of the target", "class=\"label\" text-anchor=\"middle\""));
  return svg(kLeft + kSize + 24, kTop + kSize + kBottom, "words of both sides", elements);
}

std::string position_chart(std::span<const int64_t> counts, std::string_view label) {
  constexpr double kSmall = 22;
  const int64_t most = std::max<int64_t>(1, *std::ranges::max_element(counts));
  std::string elements;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double height = std::max(1.5, kSmall * static_cast<double>(counts[i]) / static_cast<double>(most));
    elements += fmt::format(
        "<rect class=\"s2\" x=\"{}\" y=\"{}\" width=\"1.6\" height=\"{}\"><title>{}% of the file: {}</title></rect>",
        short_number(2 * static_cast<double>(i)), short_number(kSmall - height), short_number(height), i,
        counted(counts[i], "pair"));
  }
  elements += fmt::format("<path class=\"grid\" d=\"M0 {}H{}\"/>", short_number(kSmall), 2 * counts.size());
  return svg(2 * static_cast<double>(counts.size()), kSmall + 1, label, elements);
}

std::string share_bar(double share) {
  return fmt::format("<div class=\"bar\"><i style=\"width:{}%\"></i></div>",
                     short_number(100 * std::clamp(share, 0.0, 1.0), 2));
}

}  // namespace heed::curation
