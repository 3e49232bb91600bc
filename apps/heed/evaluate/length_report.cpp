#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "evaluate/reports.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/files/short_names.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/length_buckets.h"
#include "heed/metrics/reports/text_table.h"
#include "heed/report/line_chart.h"

namespace heed::apps {
namespace {

using metrics::CorpusStatistics;
using metrics::LengthBucket;

/// A score and, if requested, its confidence interval.
struct BucketScore {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN if there are no lines
  std::optional<double> margin = {};

  std::string text(int decimals) const {
    if (std::isnan(value)) return "-";
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (margin) text += fmt::format(" ± {:.{}f}", *margin, decimals);
    return text;
  }
};

BucketScore score_of(const metrics::Metric& metric, const CorpusStatistics& statistics, const Evaluation& evaluation) {
  if (statistics.lines() == 0) return {};
  const metrics::Result result = evaluation.result(metric, statistics);
  BucketScore score{.value = result.score.value};
  if (result.confidence) score.margin = result.confidence->half_width;
  return score;
}

constexpr int64_t kMostRows = 1000;

/// The buckets, and at the end one with all lines. Throws ConfigError if one very long line would cause too many rows.
std::vector<LengthBucket> rows_of_table(const ByLengthOptions& options, const std::vector<int64_t>& lengths) {
  const auto longest = std::ranges::max_element(lengths);
  if (!options.longest && longest != lengths.end() && *longest / options.width > kMostRows) {
    throw ConfigError("--longest", fmt::format("is needed: line {} has a length of {}, which would make {} rows",
                                               longest - lengths.begin() + 1, *longest, *longest / options.width));
  }
  auto buckets = metrics::length_buckets(lengths, options.width, options.longest);
  LengthBucket& all = buckets.emplace_back();
  all.lines.resize(lengths.size());
  std::iota(all.lines.begin(), all.lines.end(), size_t{0});
  return buckets;
}

/// One metric over all buckets.
class MetricReport {
 public:
  MetricReport(const metrics::MeasuredSystems& measured, const std::vector<LengthBucket>& rows,
               const Evaluation& evaluation)
      : name_(measured.metric.name()),
        signature_(measured.metric.signature(evaluation.context()).text()),
        rows_(rows),
        has_margins_(evaluation.bootstrap.has_value()),
        decimals_(measured.metric.decimals(evaluation.style.decimals)) {
    for (const CorpusStatistics& system : measured.systems) {
      auto& values = values_.emplace_back();
      for (const LengthBucket& row : rows) {
        values.push_back(score_of(measured.metric, metrics::rows_of(system, row.lines), evaluation));
      }
    }
  }

  std::string table(const std::vector<std::string>& names, const std::string& axis) const {
    std::vector<metrics::TableColumn> columns{{axis, {}}, {"lines", {}}};
    for (size_t i = 0; i < rows_.size(); ++i) {
      columns[0].cells.push_back(i + 1 < rows_.size() ? rows_[i].name() : "all");
      columns[1].cells.push_back(std::to_string(rows_[i].lines.size()));
    }
    for (size_t s = 0; s < names.size(); ++s) {
      metrics::TableColumn& column = columns.emplace_back(metrics::TableColumn{names[s], {}});
      for (const BucketScore& score : values_[s]) column.cells.push_back(score.text(decimals_));
    }
    return metrics::format_table(std::move(columns), metrics::TableStyle::FancyGrid, decimals_) + '\n' + name_ + '|' +
           signature_ + '\n';
  }

  /// A text description of the figure, for people who cannot see it.
  std::string description(const std::vector<std::string>& names) const {
    std::string text;
    for (size_t s = 0; s < names.size(); ++s) {
      text += fmt::format("{}{} of {}", s == 0 ? "" : "; ", name_, names[s]);
      for (size_t i = 0; i + 1 < rows_.size(); ++i) {
        text += fmt::format(", {}: {}", rows_[i].name(), values_[s][i].text(decimals_));
      }
    }
    return text + ". ";
  }

  report::Drawing chart(const std::vector<std::string>& names, const std::string& axis) const {
    report::LineChart chart{.title = name_ + " by sentence length",
                            .x_label = axis,
                            .y_label = name_,
                            .categories = {},
                            .lines = {},
                            .caption = name_ + '|' + signature_,
                            .decimals = decimals_};
    for (const LengthBucket& row : std::span(rows_).first(rows_.size() - 1)) {
      chart.categories.push_back(row.name());
      chart.notes.push_back(counted(std::ssize(row.lines), "line"));
    }
    for (size_t s = 0; s < names.size(); ++s) {
      report::ChartLine& line = chart.lines.emplace_back();
      line.name = names[s];
      for (const BucketScore& score : std::span(values_[s]).first(rows_.size() - 1)) {
        line.values.push_back(score.value);
        if (has_margins_) line.margins.push_back(score.margin.value_or(0));
      }
    }
    return report::draw_line_chart(chart);
  }

 private:
  std::string name_;  // of the metric
  std::string signature_;
  const std::vector<LengthBucket>& rows_;
  bool has_margins_;
  int decimals_;
  std::vector<std::vector<BucketScore>> values_;  // [system][row]
};

}  // namespace

std::string axis_label(const ByLengthOptions& options) {
  return fmt::format("{} length in {}", options.source.empty() ? "reference" : "source",
                     options.unit == LengthUnit::Words ? "words" : "characters");
}

std::vector<int64_t> line_lengths(const ByLengthOptions& options, const metrics::References& references) {
  const auto length = [&](std::string_view line) {
    return std::ssize(options.unit == LengthUnit::Words ? split_whitespace(line) : characters(strip(line)));
  };
  std::vector<int64_t> lengths;
  if (options.source.empty()) {
    for (size_t line = 0; line < references.size(); ++line) lengths.push_back(length(references[line][0]));
    return lengths;
  }
  for (const std::string& line : read_lines(options.source)) lengths.push_back(length(line));
  if (lengths.size() == references.size()) return lengths;
  throw InputError(
      options.source, 0,
      fmt::format("has {}, but there are references for {}", counted(std::ssize(lengths), "line"), references.size()));
}

std::string length_report(const ByLengthOptions& options, const Evaluation& evaluation, AtomicFile* figure) {
  std::vector<metrics::MeasuredSystems> measured;
  for (const auto& metric : evaluation.metrics) measured.push_back(evaluation.extract_all(*metric));
  const std::vector<std::string> labels = options.label.empty() ? short_names(evaluation.names) : options.label;
  const std::vector<LengthBucket> rows = rows_of_table(options, line_lengths(options, evaluation.references));
  const std::string axis = axis_label(options);
  std::string text, description;
  std::vector<report::Drawing> charts;
  for (const metrics::MeasuredSystems& of_metric : measured) {
    const MetricReport report(of_metric, rows, evaluation);
    const std::string table = report.table(labels, axis);
    text.append(text.empty() ? "" : "\n").append(table);
    description += report.description(labels);
    charts.push_back(report.chart(labels, axis));
  }
  if (figure) {
    constexpr double kBetweenCharts = 32;
    figure->write(
        report::svg_document(report::stacked(charts, kBetweenCharts), "Score against sentence length", description));
    figure->commit();
  }
  return text;
}

}  // namespace heed::apps
