#include "layers/report.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/report/line_chart.h"

namespace heed::benchmarks {
namespace {

using Json = nlohmann::ordered_json;

/// One measured quantity, for each token.
struct Quantity {
  std::string title;
  std::string unit;
  std::function<double(const LayerMeasurement&, double tokens)> value;
};

const Quantity kForward{"Time of the forward pass", "µs per token",
                        [](const LayerMeasurement& m, double tokens) { return m.forward.median / tokens * 1e6; }};
const Quantity kForwardBackward{
    "Time of the forward and backward pass", "µs per token",
    [](const LayerMeasurement& m, double tokens) { return m.forward_backward.median / tokens * 1e6; }};
const Quantity kMemory{"Memory of the forward and backward pass", "KiB per token",
                       [](const LayerMeasurement& m, double tokens) { return double(m.peak_bytes) / tokens / 1024; }};

double value_of(const LayerReport& report, const Quantity& quantity, size_t layer, size_t length) {
  return quantity.value(report.measured[layer][length], static_cast<double>(report.settings.tokens));
}

/// Three digits that count, without an exponent.
std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

Json json_of(const Seconds& seconds) {
  return {{"median", seconds.median}, {"lowest", seconds.lowest}, {"highest", seconds.highest}};
}

std::string how_measured(const LayerReport& report) {
  const LayerSettings& s = report.settings;
  return fmt::format("{}; {}; d = {}, {}, kernel {}; batches of {}; median of {}", report.machine,
                     counted(s.threads, "thread"), s.width, counted(s.heads, "head"), s.kernel,
                     counted(s.tokens, "token"), counted(s.repetitions, "run"));
}

std::string row(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string rule(size_t words, size_t numbers) {
  std::string text = "|";
  for (size_t i = 0; i < words; ++i) text += "---|";
  for (size_t i = 0; i < numbers; ++i) text += "---:|";
  return text + '\n';
}

std::string table_of(const LayerReport& report, const Quantity& quantity) {
  std::vector<std::string> head{"layer"};
  for (const int64_t length : report.settings.lengths()) head.push_back(fmt::format("n = {}", length));
  std::string text = fmt::format("{}, {}:\n\n{}{}", quantity.title, quantity.unit, row(head), rule(1, head.size() - 1));
  for (size_t layer = 0; layer < report.layers.size(); ++layer) {
    std::vector<std::string> cells{report.layers[layer].name};
    for (size_t i = 0; i + 1 < head.size(); ++i) {
      cells.push_back(three_digits(value_of(report, quantity, layer, i)));
    }
    text += row(cells);
  }
  return text;
}

std::string table_beside_theory(const LayerReport& report) {
  const std::vector<int64_t> lengths = report.settings.lengths();
  std::vector<std::string> head{"layer", "complexity per layer", "sequential operations", "maximum path length",
                                "multiplications per token, with projections"};
  const size_t words = head.size();
  for (const char* unit : {"µs", "KiB"}) {
    for (const int64_t length : {lengths.front(), lengths.back()}) {
      head.push_back(fmt::format("{} per token, n = {}", unit, length));
    }
  }
  std::string text = row(head) + rule(words, head.size() - words);
  for (size_t layer = 0; layer < report.layers.size(); ++layer) {
    const LayerFacts& facts = report.layers[layer];
    std::vector<std::string> cells{facts.name, facts.complexity, facts.sequential, facts.path, facts.products};
    for (const Quantity* quantity : {&kForwardBackward, &kMemory}) {
      for (const size_t i : {size_t{0}, lengths.size() - 1}) {
        cells.push_back(three_digits(value_of(report, *quantity, layer, i)));
      }
    }
    text += row(cells);
  }
  return text;
}

report::LineChart chart_of(const LayerReport& report, const Quantity& quantity) {
  report::LineChart chart{.title = quantity.title,
                          .x_label = "sentence length n",
                          .y_label = quantity.unit,
                          .categories = {},
                          .lines = {},
                          .caption = how_measured(report),
                          .decimals = 2,
                          .scale = report::Scale::Logarithmic};
  for (const int64_t length : report.settings.lengths()) chart.categories.push_back(std::to_string(length));
  for (size_t layer = 0; layer < report.layers.size(); ++layer) {
    report::ChartLine& line = chart.lines.emplace_back();
    line.name = report.layers[layer].name;
    for (size_t i = 0; i < chart.categories.size(); ++i) line.values.push_back(value_of(report, quantity, layer, i));
  }
  return chart;
}

/// For those who cannot see the figure.
std::string description(const report::LineChart& chart) {
  std::string text = fmt::format("{}, {}. ", chart.title, chart.y_label);
  for (const report::ChartLine& line : chart.lines) {
    text += line.name;
    for (size_t i = 0; i < line.values.size(); ++i) {
      text += fmt::format(", {}: {}", chart.categories[i], three_digits(line.values[i]));
    }
    text += ". ";
  }
  return text;
}

}  // namespace

std::vector<int64_t> LayerSettings::lengths() const {
  std::vector<int64_t> lengths;
  for (int64_t length = shortest; length <= longest; length *= 2) lengths.push_back(length);
  return lengths;
}

void validate(const LayerSettings& settings) {
  const auto& [width, heads, kernel, tokens, shortest, longest, repetitions, threads] = settings;
  if (width % heads != 0) {
    throw ConfigError("heads", fmt::format("must divide `--width`, {}, but is {}", width, heads));
  }
  if (kernel % 2 == 0) throw ConfigError("kernel", fmt::format("must be odd, but is {}", kernel));
  if (longest < shortest) {
    throw ConfigError("longest", fmt::format("must be at least `--shortest`, {}, but is {}", shortest, longest));
  }
  const int64_t last = settings.lengths().back();
  if (tokens % last != 0) {
    throw ConfigError("tokens", fmt::format("must be a multiple of the longest length, {}, but is {}", last, tokens));
  }
}

Seconds summary_of(std::vector<double> each) {
  check(!each.empty(), "a summary needs a value");
  std::sort(each.begin(), each.end());
  const size_t middle = each.size() / 2;
  const double median = each.size() % 2 == 1 ? each[middle] : 0.5 * (each[middle - 1] + each[middle]);
  return {.median = median, .lowest = each.front(), .highest = each.back()};
}

std::string json_lines(const LayerReport& report) {
  const LayerSettings& s = report.settings;
  const Json settings{
      {"type", "settings"}, {"machine", report.machine}, {"threads", s.threads}, {"width", s.width},
      {"heads", s.heads},   {"kernel", s.kernel},        {"tokens", s.tokens},   {"repetitions", s.repetitions}};
  std::string text = settings.dump() + '\n';
  const std::vector<int64_t> lengths = s.lengths();
  for (size_t layer = 0; layer < report.layers.size(); ++layer) {
    for (size_t i = 0; i < lengths.size(); ++i) {
      const LayerMeasurement& measured = report.measured[layer][i];
      const Json line{{"type", "measurement"},
                      {"layer", report.layers[layer].name},
                      {"length", lengths[i]},
                      {"sentences", s.tokens / lengths[i]},
                      {"forward_seconds", json_of(measured.forward)},
                      {"forward_backward_seconds", json_of(measured.forward_backward)},
                      {"peak_bytes", measured.peak_bytes}};
      text += line.dump() + '\n';
    }
  }
  return text;
}

std::string markdown(const LayerReport& report) {
  std::string text = how_measured(report) + ".\n\n" + table_beside_theory(report);
  for (const Quantity* quantity : {&kForward, &kForwardBackward, &kMemory}) text += '\n' + table_of(report, *quantity);
  return text;
}

std::string figure(const LayerReport& report) {
  const report::LineChart time = chart_of(report, kForwardBackward), memory = chart_of(report, kMemory);
  const std::vector<report::Drawing> drawings{report::draw_line_chart(time), report::draw_line_chart(memory)};
  constexpr double kBetweenCharts = 32;
  return report::svg_document(report::stacked(drawings, kBetweenCharts), "Time and memory of layers against length",
                              description(time) + description(memory) + how_measured(report) + '.');
}

}  // namespace heed::benchmarks
