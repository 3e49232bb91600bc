#include "evaluate/evaluate_options.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/option_list.h"
#include "heed/command_line/similar_names.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/labels/accuracy.h"
#include "heed/metrics/labels/macro_f1.h"
#include "heed/metrics/labels/span_f1.h"
#include "heed/metrics/mean_errors.h"
#include "heed/metrics/ter/ter.h"
#include "heed/metrics/token_metrics.h"
#include "heed/report/markup.h"
#include "output.h"
#include "program.h"

namespace heed::apps {
namespace {

using MetricPointer = std::unique_ptr<const metrics::Metric>;

template <class Metric>
MetricPointer make_plain(const MetricContext&) {
  return std::make_unique<Metric>();
}

/// Makes a metric of a fixed kind.
template <class Metric, auto kind>
MetricPointer make_kind(const MetricContext&) {
  return std::make_unique<Metric>(kind);
}

MetricPointer make_bleu(const MetricContext& context) {
  metrics::BleuOptions bleu = context.options.bleu;
  bleu.effective_order = context.options.sentence_level;
  return std::make_unique<metrics::Bleu>(bleu);
}

MetricPointer make_chrf_of(const metrics::ChrfOptions& options) {
  metrics::validate(options);
  return std::make_unique<metrics::Chrf>(options);
}

MetricPointer make_chrf(const MetricContext& context) { return make_chrf_of(context.options.chrf); }

MetricPointer make_chrf_with_words(const MetricContext& context) {
  metrics::ChrfOptions with_words = context.options.chrf;
  with_words.word_order = 2;
  return make_chrf_of(with_words);
}

MetricPointer make_ter(const MetricContext& context) { return std::make_unique<metrics::Ter>(context.options.ter); }

MetricPointer make_multi_bleu(const MetricContext& context) {
  return std::make_unique<metrics::MultiBleu>(context.options.multi_bleu);
}

MetricPointer make_macro_f1(const MetricContext& context) {
  return std::make_unique<metrics::MacroF1>(context.references, context.systems);
}

double of_high(double score) { return -score; }
double of_low(double score) { return score; }
double of_ratio(double score) { return std::abs(score - 1); }

constexpr auto kMetrics = std::to_array<NamedMetric>({
    {"bleu", "", make_bleu, of_high},
    {"chrf", "", make_chrf, of_high},
    {"chrf++", "", make_chrf_with_words, of_high},
    {"ter", "", make_ter, of_low},
    {"multi-bleu", "Moses' script, for tokenized text", make_multi_bleu, of_high},
    {"length-ratio", "", make_plain<metrics::LengthRatio>, of_ratio},
    {"token-accuracy", "", make_plain<metrics::TokenAccuracy>, of_high},
    {"wer", "word error rate, as in jiwer", make_kind<metrics::ErrorRate, metrics::ErrorUnit::Words>, of_low},
    {"cer", "of characters", make_kind<metrics::ErrorRate, metrics::ErrorUnit::Characters>, of_low},
    {"accuracy", "of labels", make_plain<metrics::Accuracy>, of_high},
    {"macro-f1", "of labels: the mean of all classes", make_macro_f1, of_high},
    {"span-f1", "of tags such as B-PER, as in conlleval", make_plain<metrics::SpanF1>, of_high},
    {"mse", "mean squared error of numbers", make_kind<metrics::MeanError, metrics::Deviation::Squared>, of_low},
    {"mae", "mean absolute error", make_kind<metrics::MeanError, metrics::Deviation::Absolute>, of_low},
});

std::vector<std::string> names_of_metrics(bool with_help) {
  std::vector<std::string> names;
  for (const auto& [name, help, make, badness] : kMetrics) {
    names.push_back(with_help && !help.empty() ? fmt::format("{} ({})", name, help) : std::string(name));
  }
  return names;
}

bool has(const EvaluateOptions& options, std::string_view metric) {
  return std::ranges::find(options.metric, metric) != options.metric.end();
}

/// Whether the arguments contain an option that `options` describe. section: the options' section; empty: top level.
template <class Options>
bool gives_any(const config::Arguments& arguments, Options options, std::string_view section = {}) {
  const config::OptionList described = config::list_options(config::visit_options(options));
  return std::ranges::any_of(described.options, [&](const config::OptionEntry& option) {
    return arguments.gives(section.empty() ? option.name : fmt::format("{}.{}", section, option.name));
  });
}

/// Throws ConfigError for options of a metric that is not computed, since they have no effect.
void check_options_of_metrics(const EvaluateOptions& options, const config::Arguments& arguments) {
  const auto refuse = [](std::string_view options_of, std::string_view metric) {
    throw ConfigError(fmt::format("options of {} are given, but no `--metric {}`", options_of, metric));
  };
  if (!has(options, "bleu") && gives_any(arguments, options.bleu)) refuse("BLEU", "bleu");
  const bool multi_bleu = has(options, "multi-bleu");
  if (!multi_bleu && gives_any(arguments, options.multi_bleu, "multi-bleu")) refuse("multi-bleu", "multi-bleu");
  if (!has(options, "ter") && gives_any(arguments, options.ter, "ter")) refuse("TER", "ter");
  const bool chrf = has(options, "chrf") || has(options, "chrf++");
  if (!chrf && gives_any(arguments, options.chrf, "chrf")) refuse("chrF", "chrf");
  if (chrf && !has(options, "chrf") && arguments.gives("chrf.word-order")) {
    throw ConfigError("--chrf.word-order", "is 2 with `--metric chrf++`; use `--metric chrf` for another");
  }
}

void check_metrics(const EvaluateOptions& options) {
  for (const std::string& name : options.metric) {
    if (!find_metric(name)) {
      const std::vector<std::string> names = names_of_metrics(/*with_help=*/false);
      throw ConfigError("--metric", fmt::format("must be one of {}, but is `{}`{}", fmt::join(names, ", "), name,
                                                config::did_you_mean(name, names)));
    }
    if (std::ranges::count(options.metric, name) > 1) {
      throw ConfigError("--metric", fmt::format("names `{}` twice", name));
    }
  }
}

/// A table of labels has nothing in common with scores: all that is said of these would have no effect.
void check_confusion(const EvaluateOptions& options, const config::Arguments& arguments) {
  if (!options.confusion) return;
  constexpr auto kOptions = std::to_array<std::string_view>({"reference", "confusion", "figure", "decimals"});
  EvaluateOptions any = options;
  for (const config::OptionEntry& option : config::list_options(config::visit_options(any)).options) {
    const bool goes_with_it = std::ranges::find(kOptions, option.name) != kOptions.end();
    if (!goes_with_it && arguments.gives(option.name)) {
      throw ConfigError("--confusion", fmt::format("does not go with `--{}`", option.name));
    }
  }
  if (options.reference.size() > 1 || arguments.positionals.size() > 1) {
    throw ConfigError("--confusion", "takes one `--reference` and one file of labels");
  }
}

void check_figure(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  if (options.figure.empty()) return;
  if (!options.by_length && !options.confusion) {
    throw ConfigError("--figure", "goes with `--by-length` or `--confusion`");
  }
  if (options.figure == "-") throw ConfigError("--figure", "must be a file: standard output has the table");
  report::check_picture_file("--figure", options.figure);
  for (const auto& inputs : {options.reference, systems, std::vector{options.lengths.source}}) {
    require_other_than_inputs("--figure", options.figure, inputs);
  }
}

void check_by_length(const EvaluateOptions& options, const config::Arguments& arguments) {
  const auto& [source, unit, width, longest, label] = options.lengths;
  const size_t systems = arguments.positionals.size();
  const bool has_page = !options.report.empty();
  if (!options.by_length && !has_page && gives_any(arguments, options.lengths)) {
    throw ConfigError(
        "`--source`, `--length-unit`, `--bucket-width`, `--longest` and `--label` go with `--by-length` or `--report`");
  }
  if (!options.by_length && !has_page) return;
  if (longest && *longest % width != 0) {
    throw ConfigError("--longest",
                      fmt::format("must be a multiple of `--bucket-width`, {}, but is {}", width, *longest));
  }
  if (!label.empty() && label.size() != systems) {
    throw ConfigError("--label", fmt::format("is given {}, but there {}", counted(std::ssize(label), "time"),
                                             systems == 1 ? "is 1 system" : fmt::format("are {} systems", systems)));
  }
}

void check_report(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  if (options.report.empty()) {
    if (!options.frequencies.empty()) throw ConfigError("--frequencies", "goes with `--report`");
    return;
  }
  if (options.report == "-") throw ConfigError("--report", "must be a file: standard output has the scores");
  for (const auto& inputs :
       {options.reference, systems, std::vector{options.lengths.source}, std::vector{options.frequencies}}) {
    require_other_than_inputs("--report", options.report, inputs);
  }
  require_two_outputs("--report", options.report, "--figure", options.figure);
}

void check_systems(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  if (systems.empty())
    throw ConfigError("no translations given: name their file after the options, or `-` for standard input");
  const bool confidence = std::holds_alternative<ConfidenceOptions>(options.significance);
  const bool paired = !confidence && !std::holds_alternative<NoSignificance>(options.significance);
  if (paired && systems.size() == 1) {
    throw ConfigError("--significance",
                      "paired-bootstrap and paired-randomization need a baseline and at least one more file of "
                      "translations");
  }
  if (options.by_length && paired) throw ConfigError("--by-length", "goes with `--significance confidence` or none");
  if (options.by_length && options.sentence_level) {
    throw ConfigError("--by-length", "does not go with `--sentence-level`");
  }
  if (options.worst_first && !options.sentence_level)
    throw ConfigError("--worst-first", "goes with `--sentence-level`");
  if (!options.sentence_level) return;
  if (paired || confidence) throw ConfigError("--sentence-level", "does not go with `--significance`");
}

}  // namespace

const NamedMetric* find_metric(std::string_view name) {
  const auto found = std::ranges::find(kMetrics, name, &NamedMetric::name);
  return found == kMetrics.end() ? nullptr : &*found;
}

std::string help_of_metrics() {
  return fmt::format("`NAME` of a metric: {}; give the option again for each further one",
                     fmt::join(names_of_metrics(/*with_help=*/true), ", "));
}

void validate(const EvaluateOptions& options, const config::Arguments& arguments) {
  const std::vector<std::string>& systems = arguments.positionals;
  if (options.reference.empty()) {
    throw ConfigError("`--reference` is missing: name the file with reference translations");
  }
  check_confusion(options, arguments);
  check_metrics(options);
  check_options_of_metrics(options, arguments);
  check_systems(options, systems);
  check_by_length(options, arguments);
  check_figure(options, systems);
  check_report(options, systems);
  std::vector<std::string> inputs = options.reference;
  inputs.insert(inputs.end(), systems.begin(), systems.end());
  inputs.push_back(options.lengths.source);
  inputs.push_back(options.frequencies);
  require_one_standard_input(inputs);
}

}  // namespace heed::apps
