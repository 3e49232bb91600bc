#include "evaluate/reference_evaluation.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "evaluate/confusion_report.h"
#include "evaluate/length_report.h"
#include "evaluate/sentence_report.h"
#include "heed/api/given_lines.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/log.h"
#include "heed/core/parallel.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/reports/score_report.h"
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

std::vector<std::string> split_at_tabs(std::string_view line) {
  std::vector<std::string> parts;
  for (size_t tab; (tab = line.find('\t')) != std::string_view::npos; line.remove_prefix(tab + 1)) {
    parts.emplace_back(line.substr(0, tab));
  }
  parts.emplace_back(line);
  return parts;
}

void warn_of_tokenizer(const EvaluateOptions& options, const std::string& name,
                       const std::vector<std::string>& reference) {
  const bool has_bleu = !options.confusion && std::ranges::find(options.metric, "bleu") != options.metric.end();
  if (!has_bleu || options.bleu.tokenize != metrics::BleuTokenizer::V13a) return;
  if (const auto advice = metrics::advice_against_13a(reference, "--tokenize")) {
    log_warning(fmt::format("{} is {}", input_name(name), *advice));
  }
}

/// Removes white space at the lines' ends, as sacreBLEU does before it compares.
void strip_ends(std::vector<std::string>& lines) {
  for (std::string& line : lines) line.resize(strip_right(line).size());
}

std::vector<std::string> read_stripped_lines(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  strip_ends(lines);
  return lines;
}

metrics::References read_references(const EvaluateOptions& options) {
  const std::vector<std::string>& paths = options.reference;
  std::vector<std::vector<std::string>> files;
  for (const std::string& path : paths) {
    files.push_back(read_stripped_lines(path));
    check_count(path, files.back().size(), paths[0], files[0].size());
  }
  if (files[0].empty()) throw InputError(paths[0], 0, "has no lines");
  warn_of_tokenizer(options, paths[0], files[0]);
  if (!options.tab_references) return metrics::References::from_files(std::move(files));
  if (paths.size() > 1) throw ConfigError("--tab-references", "goes with one `--reference` file");
  std::vector<std::vector<std::string>> lines;
  for (const std::string& line : files[0]) lines.push_back(split_at_tabs(line));
  return metrics::References::from_lines(std::move(lines));
}

/// The names in messages of lines that a program passes.
constexpr const char* kHypotheses = "hypotheses";
constexpr const char* kReferences = "references";

/// Changes given lines to what read_stripped_lines() would read from a file.
void require_text(const std::string& name, std::vector<std::string>& lines, size_t hypotheses) {
  check_count(name, lines.size(), kHypotheses, hypotheses);
  if (lines.empty()) throw InputError(name, 0, "has no lines");
  api::require_utf8(name, lines);
  strip_ends(lines);
}

metrics::NumpySeed seed_of(const Resampling& resampling) {
  return metrics::NumpySeed::parse(std::to_string(resampling.random_seed));
}

/// The systems and the references that they are compared with.
struct EvaluatedText {
  std::vector<std::string> names;                 ///< of the systems
  std::vector<std::vector<std::string>> systems;  ///< the lines of each system
  metrics::References references;
};

EvaluatedText read_text(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  EvaluatedText text{.names = systems, .systems = {}, .references = read_references(options)};
  for (const std::string& path : systems) {
    text.systems.push_back(read_stripped_lines(path));
    check_count(path, text.systems.back().size(), options.reference[0], text.references.size());
  }
  return text;
}

class ReferenceEvaluation {
 public:
  ReferenceEvaluation(const EvaluateOptions& options, EvaluatedText text)
      : options_(options),
        names_(std::move(text.names)),
        references_(std::move(text.references)),
        systems_(std::move(text.systems)) {
    threads_ = options.threads > 0 ? options.threads : available_cores();
    style_ = {.format = metrics::ReportFormat::Text, .decimals = static_cast<int>(options.decimals)};
    if (options.confusion) return;
    const MetricContext context{.options = options, .references = references_, .systems = systems_};
    for (const std::string& name : options.metric) metrics_.push_back(find_metric(name)->make(context));
  }

  std::string report() const {
    if (options_.sentence_level) return sentence_table();
    if (options_.by_length) return by_length_report();
    if (options_.confusion) return confusion_table();
    if (const auto* test = std::get_if<PairedBootstrapOptions>(&options_.significance)) {
      return paired_report(*test, metrics::PairedMethod::Bootstrap);
    }
    if (const auto* test = std::get_if<PairedRandomizationOptions>(&options_.significance)) {
      return paired_report(*test, metrics::PairedMethod::Randomization);
    }
    std::string report;
    for (size_t s = 0; s < systems_.size(); ++s) {
      for (const MetricPointer& metric : metrics_) {
        if (systems_.size() > 1) report += names_[s] + ": ";
        report += line(*metric, s) + '\n';
      }
    }
    return report;
  }

  /// The results of the first system.
  std::vector<MeasuredText> results() const {
    std::vector<MeasuredText> results;
    for (const MetricPointer& metric : metrics_) {
      const CorpusStatistics statistics = extract(*metric, 0);
      MeasuredText& measured = results.emplace_back(MeasuredText{.result = result(*metric, statistics)});
      measured.line = line(*metric, measured.result);
      if (options_.sentence_level) measured.sentences = line_scores(*metric, statistics);
    }
    return results;
  }

 private:
  metrics::SignatureContext context() const { return {.references = references_.count()}; }

  metrics::ReportStyle style_of(const metrics::Metric& metric) const {
    metrics::ReportStyle style = style_;
    style.decimals = metric.decimals(style_.decimals);
    return style;
  }

  static std::vector<double> line_scores(const metrics::Metric& metric, const CorpusStatistics& statistics) {
    std::vector<double> scores;
    for (size_t line = 0; line < statistics.lines(); ++line) scores.push_back(metric.score(statistics.row(line)).value);
    return scores;
  }

  /// Adds a system's file name to errors about one of its lines.
  template <class Make>
  auto naming_file(size_t system, const Make& make) const {
    try {
      return make();
    } catch (const metrics::LineError& error) {
      throw InputError(names_[system], error.line(), error.reason());
    }
  }

  CorpusStatistics extract(const metrics::Metric& metric, size_t system) const {
    return naming_file(system, [&] { return metric.extract(systems_[system], references_, threads_); });
  }

  std::string line(const metrics::Metric& metric, size_t system) const {
    return line(metric, result(metric, extract(metric, system)));
  }

  std::string line(const metrics::Metric& metric, const metrics::Result& found) const {
    // Without confidence intervals each metric formats its own line: multi-bleu.perl's differs from sacreBLEU's.
    if (found.confidence) return metrics::result_line(found, style_of(metric));
    return metric.line(found.score, found.signature.text(), style_.decimals);
  }

  metrics::Result result(const metrics::Metric& metric, const CorpusStatistics& statistics) const {
    metrics::SignatureContext signature = context();
    std::optional<metrics::Confidence> confidence;
    if (const auto* resampling = std::get_if<ConfidenceOptions>(&options_.significance)) {
      const metrics::Bootstrap bootstrap{.samples = resampling->samples, .seed = seed_of(*resampling)};
      confidence = metrics::bootstrap_confidence({metric, statistics}, bootstrap, threads_);
      signature.bootstrap_samples = bootstrap.samples;
      signature.seed = bootstrap.seed.text();
    }
    const metrics::Score score = metric.score(statistics.sums());
    return {.score = score, .confidence = confidence, .signature = metric.signature(signature)};
  }

  std::string sentence_table() const {
    std::vector<SentenceScores> scores;
    for (size_t m = 0; m < metrics_.size(); ++m) {
      const metrics::Metric& metric = *metrics_[m];
      SentenceScores& of_metric =
          scores.emplace_back(SentenceScores{.name = metric.name(),
                                             .signature = metric.signature(context()).text(),
                                             .decimals = metric.decimals(style_.decimals),
                                             .badness = find_metric(options_.metric[m])->badness,
                                             .systems = {}});
      for (size_t s = 0; s < systems_.size(); ++s) of_metric.systems.push_back(line_scores(metric, extract(metric, s)));
    }
    return sentence_report(names_, scores, options_.worst_first);
  }

  std::string by_length_report() const {
    const std::unique_ptr<AtomicFile> figure = begun_figure();
    LengthReportStyle style{.decimals = style_.decimals, .threads = threads_};
    metrics::SignatureContext signature = context();
    if (const auto* resampling = std::get_if<ConfidenceOptions>(&options_.significance)) {
      style.bootstrap = {.samples = resampling->samples, .seed = seed_of(*resampling)};
      signature.bootstrap_samples = resampling->samples;
      signature.seed = style.bootstrap->seed.text();
    }
    std::vector<LineScores> scores;
    for (const MetricPointer& metric : metrics_) {
      LineScores& lines = scores.emplace_back(LineScores{*metric, metric->signature(signature).text(), {}});
      for (size_t s = 0; s < systems_.size(); ++s) lines.systems.push_back(extract(*metric, s));
    }
    const std::vector<int64_t> lengths = line_lengths(options_.lengths, references_);
    return length_report(options_.lengths, names_, lengths, scores, style, figure.get());
  }

  std::string confusion_table() const {
    const std::unique_ptr<AtomicFile> figure = begun_figure();
    const auto confusion = naming_file(0, [&] { return metrics::Confusion(systems_[0], references_); });
    if (confusion.classes().empty()) throw InputError(options_.reference[0], 0, "has no labels");
    return confusion_report(confusion, style_.decimals, figure.get());
  }

  /// Opens the figure's file before anything is computed; null without a figure.
  std::unique_ptr<AtomicFile> begun_figure() const {
    return options_.figure.empty() ? nullptr : std::make_unique<AtomicFile>(options_.figure);
  }

  std::string paired_report(const Resampling& resampling, metrics::PairedMethod method) const {
    const metrics::NumpySeed seed = seed_of(resampling);
    const metrics::PairedTest test{
        .method = method, .samples = resampling.samples, .seed = seed, .baseline_seed = seed, .threads = threads_};
    std::vector<metrics::MeasuredSystems> measured;
    for (const MetricPointer& metric : metrics_) {
      auto& systems = measured.emplace_back(metrics::MeasuredSystems{*metric, {}}).systems;
      for (size_t s = 0; s < systems_.size(); ++s) systems.push_back(extract(*metric, s));
    }
    const auto columns = metrics::paired_columns(test, measured, context(), seed.text());
    std::vector<std::string> names = names_;
    names[0] = "Baseline: " + names[0];
    return metrics::systems_report(names, columns, metrics::PairedTestNote{method, test.samples}, style_);
  }

  const EvaluateOptions& options_;
  std::vector<std::string> names_;
  metrics::References references_;
  std::vector<std::vector<std::string>> systems_;
  std::vector<MetricPointer> metrics_;
  metrics::ReportStyle style_;
  int64_t threads_ = 1;
};

}  // namespace

std::string evaluate_with_references(const EvaluateOptions& options, const config::Arguments& arguments) {
  validate(options, arguments);
  return ReferenceEvaluation(options, read_text(options, arguments.positionals)).report();
}

std::vector<MeasuredText> evaluate_lines(const EvaluateOptions& options, std::vector<std::string> hypotheses,
                                         std::vector<std::vector<std::string>> references) {
  require_text(kHypotheses, hypotheses, hypotheses.size());
  for (std::vector<std::string>& lines : references) require_text(kReferences, lines, hypotheses.size());
  warn_of_tokenizer(options, kReferences, references[0]);
  EvaluatedText text{.names = {kHypotheses},
                     .systems = {std::move(hypotheses)},
                     .references = metrics::References::from_files(std::move(references))};
  return ReferenceEvaluation(options, std::move(text)).results();
}

}  // namespace heed::apps
