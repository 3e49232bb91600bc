#include "evaluate/sacrebleu/sacrebleu_evaluation.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "evaluate/sacrebleu/sacrebleu_input.h"
#include "evaluate/sacrebleu/sacrebleu_metrics.h"
#include "heed/core/parallel.h"
#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/reports/score_report.h"

namespace heed::apps {
namespace {

using metrics::CorpusStatistics;
using metrics::NumpySeed;

/// SACREBLEU_SEED: an integer, or "none" for a random seed from the system.
struct Seed {
  std::string written;
  bool fixed = true;
  NumpySeed value;

  /// As in the signatures of paired tests.
  std::string text() const { return fixed ? value.text() : "none"; }
  NumpySeed for_comparisons() const {
    // As in sacreBLEU, 0 means no seed here.
    return value.is_zero() ? NumpySeed::entropy() : value;
  }
};

Seed read_seed(const SacreBleuMessages& messages) {
  const char* variable = std::getenv("SACREBLEU_SEED");
  const std::string written = lower(variable ? variable : "12345");
  if (written == "none") return {.written = written, .fixed = false, .value = NumpySeed::entropy()};
  try {
    return {.written = written, .fixed = true, .value = NumpySeed::parse(written)};
  } catch (const std::invalid_argument&) {
    messages.fail(fmt::format("SACREBLEU_SEED must be a whole number of at least 0 or none, but is `{}`.", variable));
  }
}

void check_systems(const SacreBleuArguments& arguments, const std::vector<System>& systems,
                   const SacreBleuMessages& messages) {
  if (arguments.sentence_level) {
    if (systems.size() > 1) messages.fail("Only one system can be evaluated in sentence-level mode.");
    if (arguments.confidence || arguments.paired()) {
      messages.fail("Statistical tests are unavailable in sentence-level mode.");
    }
    if (systems.empty()) messages.fail("No system is given behind -i.");
  }
  if (arguments.paired() && systems.size() == 1) {
    messages.fail("Paired tests require multiple input systems given to --input (-i).");
  }
  if (arguments.confidence && systems.size() > 1) {
    messages.fail("Use paired tests (--paired) for multiple systems.");
  }
  if (arguments.original_language || arguments.subset) {
    messages.fail("--origlang and --subset need a test set (-t), and test sets are not downloaded.");
  }
}

void check_lengths(const std::vector<System>& systems, const std::vector<std::vector<std::string>>& references,
                   const SacreBleuMessages& messages) {
  for (const System& system : systems) {
    if (system.lines.empty()) messages.fail("Test set None contains no sentence");
    const bool equal = std::ranges::all_of(
        references, [&system](const auto& reference) { return reference.size() == system.lines.size(); });
    if (!equal) messages.fail("System and reference streams have different lengths.");
  }
}

class SacreBleuEvaluation {
 public:
  SacreBleuEvaluation(const SacreBleuArguments& arguments, const SacreBleuMessages& messages)
      : arguments_(arguments), messages_(messages), style_(arguments.style) {
    const char* no_color = std::getenv("NO_COLOR");
    style_.colors = !arguments.no_color && (!no_color || *no_color == '\0');
    threads_ = arguments.jobs && *arguments.jobs > 0 ? *arguments.jobs : available_cores();
  }

  /// The report.
  std::string run() {
    auto references = read_sacrebleu_references(arguments_, messages_);
    systems_ = read_sacrebleu_systems(arguments_, messages_);
    check_systems(arguments_, systems_, messages_);
    check_lengths(systems_, references, messages_);
    metrics_ = make_sacrebleu_metrics(arguments_, messages_);
    const bool unrounded = arguments_.paired() && style_.format == metrics::ReportFormat::Json && !arguments_.detail;
    if (style_.decimals < 0 && !unrounded) messages_.fail("--width must be at least 0.");
    const bool negative_jobs = arguments_.jobs && *arguments_.jobs < 0;
    if (arguments_.paired() && negative_jobs) messages_.fail("--paired-jobs must be at least 0.");
    if (systems_.empty()) return report_without_systems();
    references_.emplace(metrics::References::from_files(std::move(references)));
    if (arguments_.sentence_level) return sentence_report();
    if (arguments_.detail && style_.format == metrics::ReportFormat::Json) style_.format = metrics::ReportFormat::Text;
    if (systems_.size() == 1) return single_report();
    messages_.information(fmt::format("Found {} systems.", systems_.size()));
    return arguments_.paired() ? paired_report() : several_report();
  }

 private:
  std::string report_without_systems() const {
    if (style_.format != metrics::ReportFormat::Json) messages_.fail("No system is given behind -i.");
    messages_.information("Found 0 systems.");
    return metrics::systems_report({}, {}, std::nullopt, style_);
  }

  std::string sentence_report() const {
    const metrics::Metric& metric = *metrics_[0].metric;
    metrics::ReportStyle style = style_;
    style.format = metrics::ReportFormat::Text;
    const CorpusStatistics statistics = metric.extract(systems_[0].lines, *references_, threads_);
    metrics::Result result{.score = metrics::Score{}, .confidence = {}, .signature = metric.signature(context())};
    std::string report;
    for (size_t line = 0; line < statistics.lines(); ++line) {
      result.score = metric.score(statistics.row(line));
      report += metrics::result_line(result, style) + '\n';
    }
    return report;
  }

  std::string single_report() {
    sort_metrics();
    std::vector<metrics::Result> results;
    for (const SacreBleuMetric& metric : metrics_) results.push_back(single_result(metric));
    std::string report = metrics::single_system_report(results, style_);
    if (arguments_.detail) report += "No subset information found. Consider using --origlang argument.\n";
    return report;
  }

  metrics::Result single_result(const SacreBleuMetric& named) const {
    const metrics::Metric& metric = *named.metric;
    const CorpusStatistics statistics = extract(named, systems_[0]);
    metrics::SignatureContext signature = context();
    std::optional<metrics::Confidence> confidence;
    const int64_t samples = arguments_.confidence ? arguments_.confidence_samples : 1;
    if (samples > 1) {
      const Seed seed = read_seed(messages_);
      confidence = metrics::bootstrap_confidence({metric, statistics}, {samples, seed.value}, threads_);
      signature.bootstrap_samples = samples;
      signature.seed = seed.written;
    }
    const metrics::Score score = metric.score(statistics.sums());
    return {.score = score, .confidence = confidence, .signature = metric.signature(signature)};
  }

  std::string several_report() {
    sort_metrics();
    std::vector<metrics::MetricColumn> columns;
    for (const SacreBleuMetric& named : metrics_) {
      metrics::MetricColumn column{named.metric->name(), named.metric->signature(context()), {}};
      for (const System& system : systems_) {
        column.results.push_back({.score = named.metric->score(extract(named, system).sums()).value});
      }
      columns.push_back(std::move(column));
    }
    return metrics::systems_report(system_names(), columns, std::nullopt, style_);
  }

  std::string paired_report() const {
    const bool bootstrap = arguments_.paired_bootstrap;
    const int64_t given = bootstrap ? arguments_.bootstrap_samples : arguments_.randomization_trials;
    const Seed seed = read_seed(messages_);
    const metrics::PairedTest test{
        .method = bootstrap ? metrics::PairedMethod::Bootstrap : metrics::PairedMethod::Randomization,
        .samples = given > 0   ? given
                   : bootstrap ? 1000
                               : 10000,
        .seed = seed.for_comparisons(),
        .baseline_seed = seed.value,
        .threads = threads_};
    const auto measured = extract_all();
    announce(test);
    const auto columns = metrics::paired_columns(test, measured, context(), seed.text());
    return metrics::systems_report(system_names(), columns, metrics::PairedTestNote{test.method, given}, style_);
  }

  void announce(const metrics::PairedTest& test) const {
    const bool bootstrap = test.method == metrics::PairedMethod::Bootstrap;
    const std::string what =
        bootstrap ? fmt::format(" > Performing paired bootstrap resampling test (# resamples: {})", test.samples)
                  : fmt::format(" > Performing approximate randomization test (# trials: {})", test.samples);
    for (size_t s = 1; s < systems_.size(); ++s) {
      for (const SacreBleuMetric& named : metrics_) {
        messages_.information(fmt::format("Computing {} for {} and extracting sufficient statistics",
                                          named.metric->name(), python_repr(systems_[s].name)));
        messages_.information(what);
      }
    }
  }

  std::vector<metrics::MeasuredSystems> extract_all() const {
    std::vector<metrics::MeasuredSystems> measured;
    for (const SacreBleuMetric& named : metrics_) {
      messages_.information(
          fmt::format("Pre-computing {} statistics for {}", upper_name(named), python_repr(systems_[0].name)));
      auto& systems = measured.emplace_back(metrics::MeasuredSystems{*named.metric, {}}).systems;
      for (const System& system : systems_) systems.push_back(extract(named, system));
    }
    return measured;
  }

  CorpusStatistics extract(const SacreBleuMetric& named, const System& system) const {
    if (named.argument == "bleu" && !arguments_.bleu_force) warn_of_tokenized_periods(system);
    return named.metric->extract(system.lines, *references_, threads_);
  }

  void warn_of_tokenized_periods(const System& system) const {
    const auto periods = std::ranges::count_if(system.lines, [](const auto& line) { return line.ends_with(" ."); });
    if (periods < 100) return;
    messages_.warning("That's 100 lines that end in a tokenized period ('.')");
    messages_.warning("It looks like you forgot to detokenize your test data, which may hurt your score.");
    messages_.warning(
        "If you insist your data is detokenized, or don't care, you can suppress this message with the `force` "
        "parameter.");
  }

  static std::string upper_name(const SacreBleuMetric& named) {
    std::string name = named.argument;
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    return name;
  }

  metrics::SignatureContext context() const { return {.references = references_->count()}; }

  std::vector<std::string> system_names() const {
    std::vector<std::string> names;
    for (const System& system : systems_) names.push_back(system.name);
    return names;
  }

  /// Sorts the metrics. Only paired tests keep the order of the arguments.
  void sort_metrics() { std::ranges::sort(metrics_, {}, &SacreBleuMetric::argument); }

  const SacreBleuArguments& arguments_;
  const SacreBleuMessages& messages_;
  metrics::ReportStyle style_;
  int64_t threads_ = 1;
  std::vector<System> systems_;
  std::vector<SacreBleuMetric> metrics_;
  std::optional<metrics::References> references_;
};

}  // namespace

std::string evaluate_as_sacrebleu(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  return SacreBleuEvaluation(arguments, messages).run();
}

}  // namespace heed::apps
