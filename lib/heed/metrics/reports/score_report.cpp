#include "heed/metrics/reports/score_report.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

std::string number(double value, const ReportStyle& style) { return fmt::format("{:.{}f}", value, style.decimals); }

std::string signature_text(const Signature& signature, const ReportStyle& style) {
  return style.short_signature && style.format != ReportFormat::Json ? signature.short_text() : signature.text();
}

/// As in sacreBLEU, a mean that is not above 0 counts as absent.
bool has_confidence(const Result& result) { return result.confidence && result.confidence->mean > 0; }

std::string confidence_text(const Confidence& confidence, const ReportStyle& style) {
  return fmt::format("μ = {} ± {}", number(confidence.mean, style), number(confidence.half_width, style));
}

/// "48.5 (μ = 48.6 ± 0.7)"
std::string score_text(const Result& result, const ReportStyle& style) {
  std::string text = number(result.score.value, style);
  if (has_confidence(result)) text += fmt::format(" ({})", confidence_text(*result.confidence, style));
  return text;
}

/// The JSON number with the digits that would be printed.
std::string rounded_json(double value, const ReportStyle& style) {
  return python_json(std::strtod(number(value, style).c_str(), nullptr));
}

std::string result_json(const Result& result, const ReportStyle& style) {
  std::string fields;
  const auto add = [&fields](std::string_view key, const std::string& value) {
    fields += fmt::format("{}\n {}: {}", fields.empty() ? "" : ",", python_json(key, JsonCharacters::Unicode), value);
  };
  const auto add_text = [&add](std::string_view key, std::string_view value) {
    add(key, python_json(value, JsonCharacters::Unicode));
  };
  add_text("name", result.score.name);
  add("score", rounded_json(result.score.value, style));
  add_text("signature", result.signature.text());
  if (has_confidence(result)) {
    add("confidence_mean", rounded_json(result.confidence->mean, style));
    add("confidence_var", rounded_json(result.confidence->half_width, style));
    add_text("confidence", confidence_text(*result.confidence, style));
  }
  if (!result.score.verbose.empty()) add_text("verbose_score", result.score.verbose);
  for (const SignatureEntry& entry : result.signature.entries()) add_text(entry.key, entry.value);
  return fmt::format("{{{}\n}}", fields);
}

std::string single_system_json(const std::vector<Result>& results, const ReportStyle& style) {
  std::vector<std::string> texts;
  for (const Result& result : results) {
    texts.push_back(style.score_only ? score_text(result, style) : result_json(result, style));
  }
  if (texts.size() == 1) return texts[0] + '\n';
  return fmt::format("[\n{}\n]\n", fmt::join(texts, ",\n"));
}

constexpr std::string_view kCyan = "\x1b[36m";
constexpr std::string_view kReset = "\x1b[0m";

void color_confidence(std::string& line) {
  const size_t begin = line.find("(μ = ");
  if (begin == std::string::npos) return;
  line.insert(line.find(')', begin) + 1, kReset);
  line.insert(begin, kCyan);
}

/// Lines without an equals sign come first. Then, as in sacreBLEU, come the first n lines; n is the number of lines
/// that have one.
std::string aligned_at_equals(const std::vector<std::string>& lines) {
  std::string report;
  std::vector<size_t> widths;
  for (const std::string& line : lines) {
    const size_t equals = line.find('=');
    if (equals == std::string::npos)
      report += line + '\n';
    else
      widths.push_back(characters(std::string_view(line).substr(0, equals)).size() - 1);
  }
  const size_t widest = widths.empty() ? 0 : *std::ranges::max_element(widths);
  for (size_t i = 0; i < widths.size(); ++i) {
    const size_t left = std::min(widths[i], characters(lines[i]).size());
    report += std::string(widest - left, ' ') + lines[i] + '\n';
  }
  return report;
}

}  // namespace

std::string result_line(const Result& result, const ReportStyle& style) {
  std::string text = score_text(result, style);
  if (style.score_only) return text;
  text = fmt::format("{}|{} = {}", result.score.name, signature_text(result.signature, style), text);
  if (!result.score.verbose.empty()) text += ' ' + result.score.verbose;
  return text;
}

std::string single_system_report(const std::vector<Result>& results, const ReportStyle& style) {
  if (style.format == ReportFormat::Json) return single_system_json(results, style);
  std::vector<std::string> lines;
  for (const Result& result : results) lines.push_back(result_line(result, style));
  // As in sacreBLEU, the first line decides whether all get colors.
  if (style.colors && lines[0].find("μ") != std::string::npos) std::ranges::for_each(lines, color_confidence);
  if (lines.size() == 1) return lines[0] + '\n';

  return aligned_at_equals(lines);
}

std::vector<MetricColumn> paired_columns(const PairedTest& test, const std::vector<MeasuredSystems>& measured,
                                         SignatureContext context, const std::string& seed) {
  (test.method == PairedMethod::Bootstrap ? context.bootstrap_samples : context.randomization_trials) = test.samples;
  context.seed = seed;
  std::vector<std::vector<SystemStatistics>> systems;
  for (const MeasuredSystems& of_metric : measured) {
    auto& outputs = systems.emplace_back();
    for (const CorpusStatistics& each : of_metric.systems) outputs.push_back({of_metric.metric, each});
  }
  const auto results = paired_test(test, systems);
  std::vector<MetricColumn> columns;
  for (size_t m = 0; m < measured.size(); ++m) {
    const Metric& metric = measured[m].metric;
    columns.push_back({metric.name(), metric.signature(context), results[m], metric.decimals(0)});
  }
  return columns;
}

}  // namespace heed::metrics
