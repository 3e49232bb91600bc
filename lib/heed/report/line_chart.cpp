#include "heed/report/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::report {
namespace {

constexpr double kPlotHeight = 280, kTop = 34, kLeft = 72, kBottom = 48, kNotes = 16, kLegendGap = 18, kLegendLine = 22;
constexpr double kLegendEms = 22;
constexpr double kSmallFont = 10, kShift = 7;

struct Look {
  const char* color;
  const char* dashes;
};
constexpr std::array<Look, 7> kLooks{{{"#0072b2", "none"},
                                      {"#d55e00", "7 3"},
                                      {"#009e73", "2 3"},
                                      {"#cc79a7", "9 3 2 3"},
                                      {"#000000", "none"},
                                      {"#e69f00", "7 3"},
                                      {"#56b4e9", "2 3"}}};

/// A circle, square, triangle, diamond or inverted triangle, centered on the point.
std::string marker_path(size_t line, double x, double y) {
  constexpr std::array<const char*, 5> kShapes{"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "m-3.7 -3.7h7.4v7.4h-7.4z",
                                               "m0 -5l4.6 8h-9.2z", "m0 -5l5 5l-5 5l-5 -5z", "m0 5l4.6 -8h-9.2z"};
  return fmt::format("M{} {}{}", short_number(x), short_number(y), kShapes[line % kShapes.size()]);
}

/// The coordinates of a chart's points.
class Plot {
 public:
  explicit Plot(const LineChart& chart)
      : columns_(chart.categories.size()), logarithmic_(chart.scale == Scale::Logarithmic) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const ChartLine& line : chart.lines) {
      check(line.values.size() == columns_, "a line needs a value for every category");
      check(line.margins.empty() || line.margins.size() == columns_,
            "a line needs a margin for every category or none");
      for (size_t i = 0; i < columns_; ++i) {
        if (std::isnan(line.values[i])) continue;
        const double value = line.values[i], margin = line.margins.empty() ? 0 : line.margins[i];
        check(!logarithmic_ || value > 0, "values on a logarithmic scale must be above 0");
        const double low = logarithmic_ && margin >= value ? value : value - margin;
        lowest = std::min(lowest, value < 0 ? low : std::max(low, 0.0));  // scores are not negative
        highest = std::max(highest, value + margin);
      }
    }
    const bool empty = lowest > highest;
    numbers = logarithmic_ ? logarithmic_numbers(empty ? 1 : lowest, empty ? 10 : highest)
                           : numbers_of(empty ? Axis{} : axis_of(lowest, highest));
    step_ = std::clamp(560.0 / static_cast<double>(std::max<size_t>(columns_, 1)), 64.0, 120.0);
  }
  double width() const { return step_ * static_cast<double>(std::max<size_t>(columns_, 1)); }
  /// Shifts lines with error bars sideways, so that none hides another.
  double shift(const LineChart& chart, size_t line) const {
    if (chart.lines[line].margins.empty()) return 0;
    return kShift * (static_cast<double>(line) - 0.5 * static_cast<double>(chart.lines.size() - 1));
  }
  double x(size_t column) const { return kLeft + step_ * (static_cast<double>(column) + 0.5); }
  /// Values below the axis appear at its bottom.
  double y(double value) const {
    const double begin = numbers.front(), end = numbers.back();
    const double at = std::max(value, begin);
    const double from_top = logarithmic_ ? std::log(end / at) / std::log(end / begin) : (end - at) / (end - begin);
    return kTop + kPlotHeight * from_top;
  }

  std::vector<double> numbers;  // on the axis, including its ends

 private:
  static std::vector<double> numbers_of(const Axis& axis) {
    std::vector<double> numbers;
    const auto steps = std::lround((axis.end - axis.begin) / axis.step);
    for (int64_t i = 0; i <= steps; ++i) numbers.push_back(axis.begin + axis.step * static_cast<double>(i));
    return numbers;
  }

  size_t columns_;
  bool logarithmic_;
  double step_ = 0;
};

/// The space below the plot for categories, notes and the label.
double bottom_of(const LineChart& chart) { return kBottom + (chart.notes.empty() ? 0 : kNotes); }

/// A number with `decimals` decimals. Small numbers get two digits and a power of ten.
std::string number_text(double value, int decimals) {
  return value != 0 && std::abs(value) < 1e-3 ? fmt::format("{:.2g}", value) : fmt::format("{:.{}f}", value, decimals);
}

std::string axes(const LineChart& chart, const Plot& plot) {
  std::string text;
  // On a linear axis all numbers have the same number of decimals; on a logarithmic axis each has as many as it needs.
  for (size_t i = 0; i < plot.numbers.size(); ++i) {
    const double step = chart.scale == Scale::Logarithmic ? plot.numbers[i] : plot.numbers[1] - plot.numbers[0];
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    const double y = plot.y(plot.numbers[i]);
    text += fmt::format("<path d=\"M{} {}h{}\" stroke=\"{}\" fill=\"none\"/>\n", short_number(kLeft), short_number(y),
                        short_number(plot.width()), i == 0 ? "#444444" : "#e2e5e9");
    text +=
        svg_text(kLeft - 8, y + 4.5, number_text(plot.numbers[i], decimals), "text-anchor=\"end\" font-size=\"12\"");
  }
  const double bottom = kTop + kPlotHeight;
  for (size_t i = 0; i < chart.categories.size(); ++i) {
    text += fmt::format("<path d=\"M{} {}v5\" stroke=\"#444444\" fill=\"none\"/>\n", short_number(plot.x(i)),
                        short_number(bottom));
    text += svg_text(plot.x(i), bottom + 19, chart.categories[i], "text-anchor=\"middle\" font-size=\"12\"");
    if (chart.notes.empty()) continue;
    text +=
        svg_text(plot.x(i), bottom + 34, chart.notes[i], "text-anchor=\"middle\" font-size=\"10.5\" fill=\"#6b7280\"");
  }
  text += svg_text(kLeft + plot.width() / 2, bottom + bottom_of(chart) - 8, chart.x_label, "text-anchor=\"middle\"");
  const double middle = kTop + kPlotHeight / 2;
  return text + svg_text(14, middle, chart.y_label,
                         fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 14 {})\"", short_number(middle)));
}

std::string margins_of(const ChartLine& line, const Look& look, const Plot& plot, double shift) {
  std::string path;
  for (size_t i = 0; i < line.margins.size(); ++i) {
    if (std::isnan(line.values[i])) continue;
    const double high = plot.y(line.values[i] + line.margins[i]);
    const double low = plot.y(line.values[i] - line.margins[i]);
    path += fmt::format("M{0} {1}v{2}m-4 0h8m-8 {3}h8", short_number(plot.x(i) + shift), short_number(high),
                        short_number(low - high), short_number(high - low));
  }
  if (path.empty()) return {};
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.55\"/>\n", path, look.color);
}

std::string line_elements(const LineChart& chart, size_t index, const Plot& plot) {
  const ChartLine& line = chart.lines[index];
  const Look& look = kLooks[index % kLooks.size()];
  const double shift = plot.shift(chart, index);
  std::string path, points;
  bool pen_down = false;
  for (size_t i = 0; i < line.values.size(); ++i) {
    const double value = line.values[i];
    if (std::isnan(value)) {
      pen_down = false;
      continue;
    }
    path += fmt::format("{}{} {}", pen_down ? "L" : "M", short_number(plot.x(i) + shift), short_number(plot.y(value)));
    pen_down = true;
    const std::string margin = line.margins.empty() ? "" : fmt::format(" ± {:.{}f}", line.margins[i], chart.decimals);
    points += fmt::format("<path d=\"{}\"><title>{}, {}: {}{}</title></path>\n",
                          marker_path(index, plot.x(i) + shift, plot.y(value)), escaped(line.name),
                          escaped(chart.categories[i]), number_text(value, chart.decimals), margin);
  }
  return margins_of(line, look, plot, shift) +
         fmt::format(
             "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n"
             "<g fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1\">\n{}</g>\n",
             path, look.color, look.dashes, look.color, points);
}

std::string legend(const LineChart& chart, double x) {
  std::string text;
  for (size_t i = 0; i < chart.lines.size(); ++i) {
    const Look& look = kLooks[i % kLooks.size()];
    const double y = kTop + 10 + kLegendLine * static_cast<double>(i);
    text += fmt::format(
        "<path d=\"M{0} {1}h30\" stroke=\"{2}\" stroke-width=\"2\" stroke-dasharray=\"{3}\" fill=\"none\"/>\n"
        "<path d=\"{4}\" fill=\"{2}\" stroke=\"#ffffff\"/>\n",
        short_number(x), short_number(y), look.color, look.dashes, marker_path(i, x + 15, y));
    text += svg_text(x + 38, y + 4.5, shortened_to_width(chart.lines[i].name, kLegendEms));
  }
  return text;
}

}  // namespace

Axis axis_of(double lowest, double highest) {
  if (lowest > 0 && lowest < 0.5 * highest) lowest = 0;
  const double range = highest > lowest ? highest - lowest : std::max(std::abs(highest), 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(range / 5)));
  Axis axis;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    axis.step = factor * power;
    if (range / axis.step <= 7) break;
  }
  // A value that is on a step, up to rounding, does not need another step.
  axis.begin = axis.step * std::floor(lowest / axis.step + 1e-9);
  axis.end = axis.step * std::ceil(highest / axis.step - 1e-9);
  if (axis.end > axis.begin) return axis;
  if (axis.begin > 0)
    axis.begin -= axis.step;  // 100 may be the largest possible value
  else
    axis.end += axis.step;
  return axis;
}

std::vector<double> logarithmic_numbers(double lowest, double highest) {
  check(0 < lowest && lowest <= highest, "a logarithmic axis shows values above 0");
  const auto factors = highest / lowest > 1e3 ? std::vector{1.0} : std::vector{1.0, 2.0, 5.0};
  std::vector<double> numbers;
  // Above eight powers of ten: only every second, fifth, tenth, ..., so that there are at most eight.
  const double powers = std::log10(highest / lowest);
  int stride = 1;
  for (const int wider : {2, 5, 10, 20, 50, 100}) {
    if (powers / stride > 8) stride = wider;
  }
  const int first = static_cast<int>(std::floor(std::log10(lowest) / stride)) * stride;
  for (int power = first;; power += stride) {
    for (const double factor : factors) {
      const double number = factor * std::pow(10.0, power);
      if (number <= lowest) numbers.clear();  // the last number below the range begins the axis
      numbers.push_back(number);
      if (number >= highest && numbers.size() > 1) return numbers;
    }
  }
}

Drawing draw_line_chart(const LineChart& chart) {
  const Plot plot(chart);
  Drawing drawing;
  drawing.elements = svg_text(kLeft, 16, chart.title, "font-size=\"15\" font-weight=\"bold\"") + axes(chart, plot);
  for (size_t i = 0; i < chart.lines.size(); ++i) drawing.elements += line_elements(chart, i, plot);
  const double legend_x = kLeft + plot.width() + kLegendGap;
  drawing.elements += legend(chart, legend_x);
  double widest = 0;
  for (const ChartLine& line : chart.lines)
    widest = std::max(widest, text_width(shortened_to_width(line.name, kLegendEms)));
  drawing.width = std::max(legend_x + 38 + widest * kFont, kLeft + text_width(chart.title) * 16);
  if (!chart.caption.empty()) {
    drawing.width = std::max(drawing.width, kLeft + text_width(chart.caption) * kSmallFont);
    drawing.elements += svg_text(kLeft, kTop + kPlotHeight + bottom_of(chart) + 12, chart.caption,
                                 fmt::format("font-size=\"{}\" fill=\"#6b7280\"", kSmallFont));
  }
  drawing.height = std::max(kTop + kPlotHeight + bottom_of(chart) + (chart.caption.empty() ? 0 : 14),
                            kTop + 10 + kLegendLine * static_cast<double>(chart.lines.size()));
  return drawing;
}

}  // namespace heed::report
