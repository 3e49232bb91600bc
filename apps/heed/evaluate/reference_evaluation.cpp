#include "evaluate/reference_evaluation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "evaluate/evaluation.h"
#include "evaluate/reports.h"
#include "heed/api/given_lines.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/parallel.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/printable.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/tokenizers/fitting_tokenizer.h"

namespace heed::apps {
namespace {

using metrics::CorpusStatistics;
using MetricPointer = std::unique_ptr<const metrics::Metric>;

std::string lines_text(size_t count) { return counted(static_cast<int64_t>(count), "line"); }

void check_count(const std::string& path, size_t lines, const std::string& reference, size_t expected) {
  if (lines == expected) return;
  throw InputError(path, 0, fmt::format("has {}, but {} has {}", lines_text(lines), input_name(reference), expected));
}

bool has_bleu(const EvaluateOptions& options) {
  return !options.confusion && std::ranges::find(options.metric, "bleu") != options.metric.end();
}

/// Warns once of translations that seem to be tokenized, under the condition of sacreBLEU.
void warn_of_tokenized_text(const EvaluateOptions& options, const Evaluation& text) {
  constexpr int64_t kEnough = 100;
  if (!has_bleu(options) || options.bleu.tokenize == metrics::BleuTokenizer::None) return;
  for (size_t s = 0; s < text.systems.size(); ++s) {
    const auto tokenized =
        std::ranges::count_if(text.systems[s], [](const std::string& line) { return line.ends_with(" ."); });
    if (tokenized < kEnough) continue;
    return log_warning(
        fmt::format("{} looks tokenized: {} lines end in a period after a space. BLEU tokenizes the text itself: give "
                    "it detokenized text, or `--tokenize none`",
                    input_name(text.names[s]), format_count(tokenized)));
  }
}

void warn_of_tokenizer(const EvaluateOptions& options, const std::string& name,
                       const std::vector<std::string>& reference) {
  if (!has_bleu(options) || options.bleu.tokenize != metrics::BleuTokenizer::V13a) return;
  if (const auto advice = metrics::advice_against_13a(reference, "--tokenize")) {
    log_warning(fmt::format("{} is {}", input_name(name), *advice));
  }
}

metrics::References read_references(const EvaluateOptions& options) {
  const std::vector<std::string>& paths = options.reference;
  std::vector<std::vector<std::string>> files;
  for (const std::string& path : paths) {
    files.push_back(stripped_lines(LineReader(path)));
    check_count(path, files.back().size(), paths[0], files[0].size());
  }
  if (files[0].empty()) throw InputError(paths[0], 0, "has no lines");
  warn_of_tokenizer(options, paths[0], files[0]);
  if (!options.tab_references) return metrics::References::from_files(std::move(files));
  if (paths.size() > 1) throw ConfigError("--tab-references", "goes with one `--reference` file");
  std::vector<std::vector<std::string>> lines;
  for (const std::string& line : files[0]) lines.push_back(split(line, '\t'));
  return metrics::References::from_lines(std::move(lines));
}

/// The names in messages of lines that a program passes.
constexpr const char* kHypotheses = "hypotheses";
constexpr const char* kReferences = "references";

/// Changes given lines to what stripped_lines() would read from a file.
void require_text(const std::string& name, std::vector<std::string>& lines, size_t hypotheses) {
  check_count(name, lines.size(), kHypotheses, hypotheses);
  if (lines.empty()) throw InputError(name, 0, "has no lines");
  api::require_utf8(name, lines);
  for (std::string& line : lines) line.resize(strip_right(line).size());
}

metrics::NumpySeed seed_of(const Resampling& resampling) {
  return metrics::NumpySeed::parse(std::to_string(resampling.random_seed));
}

Evaluation read_text(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  Evaluation text{.names = systems, .systems = {}, .references = read_references(options)};
  for (const std::string& path : systems) {
    text.systems.push_back(stripped_lines(LineReader(path)));
    check_count(path, text.systems.back().size(), options.reference[0], text.references.size());
  }
  return text;
}

/// Adds everything but the text.
Evaluation evaluation_of(const EvaluateOptions& options, Evaluation text) {
  warn_of_tokenized_text(options, text);
  text.threads = options.threads > 0 ? options.threads : available_cores();
  text.style = {.format = metrics::ReportFormat::Text, .decimals = static_cast<int>(options.decimals)};
  if (const auto* resampling = std::get_if<ConfidenceOptions>(&options.significance)) {
    text.bootstrap = {.samples = resampling->samples, .seed = seed_of(*resampling)};
    text.seed = text.bootstrap->seed.text();
  }
  if (options.confusion) return text;
  const MetricContext context{.options = options, .references = text.references, .systems = text.systems};
  for (const std::string& name : options.metric) text.metrics.push_back(find_metric(name)->make(context));
  return text;
}

std::string line_of(const metrics::Metric& metric, const metrics::Result& result, metrics::ReportStyle style) {
  // Without confidence intervals each metric formats its own line: multi-bleu.perl's differs from sacreBLEU's.
  if (!result.confidence) return metric.line(result.score, result.signature.text(), style.decimals);
  style.decimals = metric.decimals(style.decimals);
  return metrics::result_line(result, style);
}

std::vector<double> line_scores(const metrics::Metric& metric, const CorpusStatistics& statistics) {
  std::vector<double> scores;
  for (size_t line = 0; line < statistics.lines(); ++line) scores.push_back(metric.value(statistics.row(line)));
  return scores;
}

/// Sorts the lines by score, the worst first; equal lines keep their order.
void sort_by_score(std::vector<size_t>& lines, const std::vector<double>& scores, const NamedMetric& metric) {
  std::ranges::stable_sort(lines, std::greater(), [&](size_t line) {
    const double badness = metric.badness(scores[line]);
    return std::isnan(badness) ? std::numeric_limits<double>::infinity() : badness;
  });
}

/// A TAB-separated table. First the signature of each metric on a line after `#`, then a line of column names, then a
/// row for each line of text: its number, from 1, and a score for each metric and system.
std::string sentence_table(const EvaluateOptions& options, const Evaluation& evaluation) {
  struct Column {
    int decimals;
    std::vector<double> scores;
  };
  std::vector<Column> columns;
  std::string report, header = "line";
  for (const MetricPointer& metric : evaluation.metrics) {
    report += fmt::format("# {}|{}\n", metric->name(), metric->signature(evaluation.context()).text());
    for (size_t s = 0; s < evaluation.systems.size(); ++s) {
      columns.push_back(
          {metric->decimals(evaluation.style.decimals), line_scores(*metric, evaluation.extract(*metric, s))});
      // Escaped, so that the name contains no TAB.
      header += '\t' + (evaluation.metrics.size() > 1 ? metric->name() + ' ' : "") + printable(evaluation.names[s]);
    }
  }
  report += header + '\n';
  const std::vector<double>& first = columns[0].scores;
  std::vector<size_t> lines(first.size());
  std::iota(lines.begin(), lines.end(), size_t{0});
  if (options.worst_first) sort_by_score(lines, first, *find_metric(options.metric[0]));
  for (const size_t line : lines) {
    report += fmt::format("{}", line + 1);
    for (const Column& column : columns) report += fmt::format("\t{:.{}f}", column.scores[line], column.decimals);
    report += '\n';
  }
  return report;
}

/// Opens the figure's file before anything is computed; null without a figure.
std::unique_ptr<AtomicFile> begun_figure(const EvaluateOptions& options) {
  return options.figure.empty() ? nullptr : std::make_unique<AtomicFile>(options.figure);
}

std::string confusion_table(const EvaluateOptions& options, const Evaluation& evaluation) {
  const std::unique_ptr<AtomicFile> figure = begun_figure(options);
  const auto confusion =
      evaluation.naming(0, [&] { return metrics::Confusion(evaluation.systems[0], evaluation.references); });
  if (confusion.classes().empty()) throw InputError(options.reference[0], 0, "has no labels");
  return confusion_report(confusion, evaluation.style.decimals, figure.get());
}

std::string paired_report(const Resampling& resampling, metrics::PairedMethod method, Evaluation evaluation) {
  const metrics::NumpySeed seed = seed_of(resampling);
  evaluation.seed = seed.text();
  const metrics::PairedTest test{.method = method,
                                 .samples = resampling.samples,
                                 .seed = seed,
                                 .baseline_seed = seed,
                                 .threads = evaluation.threads};
  std::vector<metrics::MeasuredSystems> measured;
  for (const MetricPointer& metric : evaluation.metrics) measured.push_back(evaluation.extract_all(*metric));
  evaluation.names[0].insert(0, "Baseline: ");
  return evaluation.paired_report(test, measured, test.samples);
}

std::string report_of(const EvaluateOptions& options, Evaluation evaluation) {
  if (options.sentence_level) return sentence_table(options, evaluation);
  if (options.by_length) return length_report(options.lengths, evaluation, begun_figure(options).get());
  if (options.confusion) return confusion_table(options, evaluation);
  if (const auto* test = std::get_if<PairedBootstrapOptions>(&options.significance)) {
    return paired_report(*test, metrics::PairedMethod::Bootstrap, std::move(evaluation));
  }
  if (const auto* test = std::get_if<PairedRandomizationOptions>(&options.significance)) {
    return paired_report(*test, metrics::PairedMethod::Randomization, std::move(evaluation));
  }
  std::string report;
  for (size_t s = 0; s < evaluation.systems.size(); ++s) {
    for (const MetricPointer& metric : evaluation.metrics) {
      if (evaluation.systems.size() > 1) report += evaluation.names[s] + ": ";
      const metrics::Result result = evaluation.result(*metric, evaluation.extract(*metric, s));
      report += line_of(*metric, result, evaluation.style) + '\n';
    }
  }
  return report;
}

}  // namespace

std::string evaluate_with_references(const EvaluateOptions& options, const config::Arguments& arguments) {
  validate(options, arguments);
  std::unique_ptr<AtomicFile> page;  // opened before anything is computed
  if (!options.report.empty()) page = std::make_unique<AtomicFile>(options.report);
  Evaluation evaluation = evaluation_of(options, read_text(options, arguments.positionals));
  if (page) {
    EvaluateOptions of_page = options;
    if (!arguments.gives("metric")) of_page.metric = {"bleu", "chrf", "ter"};
    write_evaluation_page(of_page, evaluation, *page);
  }
  return report_of(options, std::move(evaluation));
}

std::vector<MeasuredText> evaluate_lines(const EvaluateOptions& options, std::vector<std::string> hypotheses,
                                         std::vector<std::vector<std::string>> references) {
  require_text(kHypotheses, hypotheses, hypotheses.size());
  for (std::vector<std::string>& lines : references) require_text(kReferences, lines, hypotheses.size());
  warn_of_tokenizer(options, kReferences, references[0]);
  const Evaluation evaluation =
      evaluation_of(options, {.names = {kHypotheses},
                              .systems = {std::move(hypotheses)},
                              .references = metrics::References::from_files(std::move(references))});
  std::vector<MeasuredText> results;
  for (const MetricPointer& metric : evaluation.metrics) {
    const CorpusStatistics statistics = evaluation.extract(*metric, 0);
    MeasuredText& measured = results.emplace_back(MeasuredText{.result = evaluation.result(*metric, statistics)});
    measured.line = line_of(*metric, measured.result, evaluation.style);
    if (options.sentence_level) measured.sentences = line_scores(*metric, statistics);
  }
  return results;
}

}  // namespace heed::apps
