#include "evaluate/sacrebleu/sacrebleu_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "evaluate/evaluation.h"
#include "evaluate/sacrebleu/sacrebleu_input.h"
#include "heed/core/parallel.h"
#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/reports/text_table.h"

namespace heed::apps {
namespace {

using metrics::NumpySeed;
using metrics::ReportFormat;

/// Fails for options that need sacreBLEU's test sets, which it downloads.
void refuse_test_sets(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  const bool asked = arguments.download || arguments.list || arguments.test_set;
  if (!asked) return;
  messages.fail(
      "Test sets are not downloaded: give the reference as a file, `heed evaluate REFERENCE -i TRANSLATION`; "
      "`sacrebleu -t NAME -l PAIR --echo ref > REFERENCE` writes it.");
}

/// Checks the arguments in sacreBLEU's order.
void check_arguments(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  if (arguments.download || arguments.list) refuse_test_sets(arguments, messages);
  if (arguments.sentence_level && arguments.metrics.size() > 1) {
    messages.fail("Only one metric can be used in sentence-level mode.");
  }
  if (arguments.citation && !arguments.test_set) messages.fail("I need a test set (-t).");
  if (arguments.tab_references != 1 && (arguments.test_set || arguments.references.size() > 1)) {
    messages.warning(
        "The --num-refs argument allows you to provide any number of tab-delimited references in a single file.");
    messages.warning("You can only use it with externally provided references, however (i.e., not with `-t`),");
    messages.fail("and you cannot then provide multiple reference files.");
  }
  refuse_test_sets(arguments, messages);
  if (arguments.references.empty()) {
    messages.fail(
        "No references are given: name their files before -i, as in `heed evaluate REFERENCE -i TRANSLATION`.");
  }
  const std::string pair = arguments.language_pair.value_or("");
  if (!pair.empty() && pair.find('-') == std::string::npos) {
    messages.fail(fmt::format("`{}` is not a language pair such as en-de.", pair));
  }
  if (arguments.echo) messages.fail("--echo requires a test set (--t) and a language pair (-l)");
}

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

void check_systems(const SacreBleuArguments& arguments, size_t systems, const SacreBleuMessages& messages) {
  if (arguments.sentence_level) {
    if (systems > 1) messages.fail("Only one system can be evaluated in sentence-level mode.");
    if (arguments.confidence || arguments.paired()) {
      messages.fail("Statistical tests are unavailable in sentence-level mode.");
    }
    if (systems == 0) messages.fail("No system is given behind -i.");
  }
  if (arguments.paired() && systems == 1) {
    messages.fail("Paired tests require multiple input systems given to --input (-i).");
  }
  if (arguments.confidence && systems > 1) {
    messages.fail("Use paired tests (--paired) for multiple systems.");
  }
  if (arguments.original_language || arguments.subset) {
    messages.fail("--origlang and --subset need a test set (-t), and test sets are not downloaded.");
  }
}

void check_lengths(const Systems& systems, const std::vector<std::vector<std::string>>& references,
                   const SacreBleuMessages& messages) {
  for (const std::vector<std::string>& lines : systems.lines) {
    if (lines.empty()) messages.fail("Test set None contains no sentence");
    const bool equal =
        std::ranges::all_of(references, [&](const auto& reference) { return reference.size() == lines.size(); });
    if (!equal) messages.fail("System and reference streams have different lengths.");
  }
}

/// Each metric once. As in sacreBLEU, only paired tests keep the order of the arguments.
std::vector<std::string> metric_names(const SacreBleuArguments& arguments) {
  std::vector<std::string> names;
  for (const std::string& name : arguments.metrics) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (!arguments.paired()) std::ranges::sort(names);
  return names;
}

metrics::ReportStyle style_of(const SacreBleuArguments& arguments) {
  metrics::ReportStyle style = arguments.style;
  const char* no_color = std::getenv("NO_COLOR");
  style.colors = !arguments.no_color && (!no_color || *no_color == '\0');
  const bool text_only = arguments.sentence_level || (arguments.detail && style.format == ReportFormat::Json);
  if (text_only) style.format = ReportFormat::Text;
  return style;
}

class SacreBleuEvaluation {
 public:
  SacreBleuEvaluation(const SacreBleuArguments& arguments, const SacreBleuMessages& messages, Evaluation evaluation)
      : arguments_(arguments), messages_(messages), evaluation_(std::move(evaluation)) {}

  std::string report() {
    if (arguments_.sentence_level) return sentence_report();
    if (evaluation_.names.size() == 1) return single_report();
    messages_.information(fmt::format("Found {} systems.", evaluation_.names.size()));
    return arguments_.paired() ? paired_report() : several_report();
  }

 private:
  std::string sentence_report() const {
    const metrics::Metric& metric = *evaluation_.metrics[0];
    const metrics::CorpusStatistics statistics = evaluation_.extract(metric, 0);
    metrics::Result result{.score = metrics::Score{}, .signature = metric.signature(evaluation_.context())};
    std::string report;
    for (size_t line = 0; line < statistics.lines(); ++line) {
      result.score = metric.score(statistics.row(line));
      report += metrics::result_line(result, evaluation_.style) + '\n';
    }
    return report;
  }

  std::string single_report() {
    std::vector<metrics::Result> results;
    for (size_t m = 0; m < evaluation_.metrics.size(); ++m) {
      const metrics::MeasuredSystems measured = extract_all(m);
      if (arguments_.confidence && arguments_.confidence_samples > 1) {
        const Seed seed = read_seed(messages_);
        evaluation_.bootstrap = {.samples = arguments_.confidence_samples, .seed = seed.value};
        evaluation_.seed = seed.written;
      }
      results.push_back(evaluation_.result(measured.metric, measured.systems[0]));
    }
    std::string report = metrics::single_system_report(results, evaluation_.style);
    if (arguments_.detail) report += "No subset information found. Consider using --origlang argument.\n";
    return report;
  }

  std::string several_report() const {
    std::vector<metrics::MetricColumn> columns;
    for (size_t m = 0; m < evaluation_.metrics.size(); ++m) {
      const metrics::MeasuredSystems measured = extract_all(m);
      const metrics::Metric& metric = measured.metric;
      auto& column =
          columns.emplace_back(metrics::MetricColumn{metric.name(), metric.signature(evaluation_.context()), {}});
      for (const auto& system : measured.systems)
        column.results.push_back({.score = metric.score(system.sums()).value});
    }
    return metrics::systems_report(evaluation_.names, columns, std::nullopt, evaluation_.style);
  }

  std::string paired_report() {
    const bool bootstrap = arguments_.paired_bootstrap;
    const int64_t given = bootstrap ? arguments_.bootstrap_samples : arguments_.randomization_trials;
    const Seed seed = read_seed(messages_);
    evaluation_.seed = seed.text();
    const metrics::PairedTest test{
        .method = bootstrap ? metrics::PairedMethod::Bootstrap : metrics::PairedMethod::Randomization,
        .samples = given > 0   ? given
                   : bootstrap ? 1000
                               : 10000,
        .seed = seed.for_comparisons(),
        .baseline_seed = seed.value,
        .threads = evaluation_.threads};
    std::vector<metrics::MeasuredSystems> measured;
    for (size_t m = 0; m < evaluation_.metrics.size(); ++m) {
      std::string name = names_[m];
      std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
      messages_.information(fmt::format("Pre-computing {} statistics for {}", name, python_repr(evaluation_.names[0])));
      measured.push_back(extract_all(m));
    }
    announce(test);
    return evaluation_.paired_report(test, measured, given);
  }

  void announce(const metrics::PairedTest& test) const {
    const bool bootstrap = test.method == metrics::PairedMethod::Bootstrap;
    const std::string what =
        bootstrap ? fmt::format(" > Performing paired bootstrap resampling test (# resamples: {})", test.samples)
                  : fmt::format(" > Performing approximate randomization test (# trials: {})", test.samples);
    for (size_t s = 1; s < evaluation_.names.size(); ++s) {
      for (const auto& metric : evaluation_.metrics) {
        messages_.information(fmt::format("Computing {} for {} and extracting sufficient statistics", metric->name(),
                                          python_repr(evaluation_.names[s])));
        messages_.information(what);
      }
    }
  }

  /// The statistics of all systems for a metric.
  metrics::MeasuredSystems extract_all(size_t metric) const {
    if (names_[metric] == "bleu" && !arguments_.force) {
      for (const auto& lines : evaluation_.systems) warn_of_tokenized_periods(lines);
    }
    return evaluation_.extract_all(*evaluation_.metrics[metric]);
  }

  void warn_of_tokenized_periods(const std::vector<std::string>& lines) const {
    const auto periods = std::ranges::count_if(lines, [](const auto& line) { return line.ends_with(" ."); });
    if (periods < 100) return;
    messages_.warning("That's 100 lines that end in a tokenized period ('.')");
    messages_.warning("It looks like you forgot to detokenize your test data, which may hurt your score.");
    messages_.warning(
        "If you insist your data is detokenized, or don't care, you can suppress this message with the `force` "
        "parameter.");
  }

  const SacreBleuArguments& arguments_;
  const SacreBleuMessages& messages_;
  Evaluation evaluation_;
  std::vector<std::string> names_ = metric_names(arguments_);
};

/// The report, with color codes unless they are disabled.
std::string evaluate(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  auto references = read_sacrebleu_references(arguments, messages);
  Systems systems = read_sacrebleu_systems(arguments, messages);
  check_systems(arguments, systems.names.size(), messages);
  check_lengths(systems, references, messages);
  auto made = make_sacrebleu_metrics(arguments, metric_names(arguments), messages);
  const metrics::ReportStyle style = style_of(arguments);
  const bool json = arguments.style.format == ReportFormat::Json;
  const bool unrounded = arguments.paired() && json && !arguments.detail;
  if (style.decimals < 0 && !unrounded) messages.fail("--width must be at least 0.");
  const int64_t jobs = arguments.jobs.value_or(0);
  if (arguments.paired() && jobs < 0) messages.fail("--paired-jobs must be at least 0.");
  if (systems.names.empty()) {
    if (!json) messages.fail("No system is given behind -i.");
    messages.information("Found 0 systems.");
    return metrics::systems_report({}, {}, std::nullopt, arguments.style);
  }
  Evaluation evaluation{.names = std::move(systems.names),
                        .systems = std::move(systems.lines),
                        .references = metrics::References::from_files(std::move(references)),
                        .metrics = std::move(made),
                        .style = style,
                        .threads = jobs > 0 ? jobs : available_cores()};
  return SacreBleuEvaluation(arguments, messages, std::move(evaluation)).report();
}

}  // namespace

int run_sacrebleu(CommandArguments arguments, int (*help)()) {
  const SacreBleuArguments parsed = parse_sacrebleu_arguments(arguments);
  if (parsed.asked == SacreBleuArguments::Asked::Help) return help();
  if (parsed.asked == SacreBleuArguments::Asked::Version) {
    print(fmt::format("sacrebleu {}\n", metrics::kSacreBleuVersion));
    return 0;
  }
  const SacreBleuMessages messages(parsed.quiet);
  try {
    check_arguments(parsed, messages);
    const std::string report = evaluate(parsed, messages);
    print(isatty(STDOUT_FILENO) ? report : metrics::without_colors(report));
    return 0;
  } catch (const Stop& stop) {
    return stop.code;
  }
}

}  // namespace heed::apps
