#include "evaluate/evaluate_options.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "evaluate/length_report.h"
#include "heed/config/command_line/option_list.h"
#include "heed/core/error.h"
#include "heed/metrics/ter/ter.h"
#include "heed/metrics/token_metrics.h"
#include "output.h"
#include "program.h"

namespace heed::apps {
namespace {

using MetricPointer = std::unique_ptr<const metrics::Metric>;

template <class Metric>
MetricPointer make_plain(const EvaluateOptions&) {
  return std::make_unique<Metric>();
}

MetricPointer make_bleu(const EvaluateOptions& options) {
  metrics::BleuOptions bleu = options.bleu;
  bleu.effective_order = options.sentence_level;
  return std::make_unique<metrics::Bleu>(bleu);
}

MetricPointer make_chrf(const EvaluateOptions& options) {
  metrics::validate(options.chrf);
  return std::make_unique<metrics::Chrf>(options.chrf);
}

MetricPointer make_chrf_with_words(const EvaluateOptions& options) {
  EvaluateOptions with_words = options;
  with_words.chrf.word_order = 2;
  return make_chrf(with_words);
}

MetricPointer make_ter(const EvaluateOptions& options) { return std::make_unique<metrics::Ter>(options.ter); }

MetricPointer make_multi_bleu(const EvaluateOptions& options) {
  return std::make_unique<metrics::MosesBleu>(options.multi_bleu);
}

constexpr auto kMetrics = std::to_array<NamedMetric>({
    {"bleu", "", make_bleu},
    {"chrf", "", make_chrf},
    {"chrf++", "", make_chrf_with_words},
    {"ter", "", make_ter},
    {"multi-bleu", "Moses' script, for tokenized text", make_multi_bleu},
    {"length-ratio", "", make_plain<metrics::LengthRatio>},
    {"token-accuracy", "", make_plain<metrics::TokenAccuracy>},
});

std::string names_of_metrics(bool with_help) {
  std::vector<std::string> names;
  for (const auto& [name, help, make] : kMetrics) {
    names.push_back(with_help && !help.empty() ? fmt::format("{} ({})", name, help) : std::string(name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool has(const EvaluateOptions& options, std::string_view metric) {
  return std::ranges::find(options.metric, metric) != options.metric.end();
}

/// Whether the arguments give an option that `options` describe. section: where these stand; empty: on the top level.
template <class Options>
bool gives_any(const config::Arguments& arguments, Options options, std::string_view section = {}) {
  const config::OptionList described = config::list_options(config::walk_of(options));
  return std::ranges::any_of(described.options, [&](const config::OptionEntry& option) {
    return arguments.gives(section.empty() ? option.name : fmt::format("{}.{}", section, option.name));
  });
}

/// Options of a metric that is not computed would have no effect.
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
      throw ConfigError("--metric", fmt::format("must be one of {}, but is `{}`", names_of_metrics(false), name));
    }
    if (std::ranges::count(options.metric, name) > 1) {
      throw ConfigError("--metric", fmt::format("names `{}` twice", name));
    }
  }
}

void require_own_figure(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  if (options.lengths.figure.empty()) return;
  for (const auto& inputs : {options.reference, systems, std::vector{options.lengths.source}}) {
    require_other_than_inputs("--figure", options.lengths.figure, inputs);
  }
}

void check_by_length(const EvaluateOptions& options, const config::Arguments& arguments) {
  if (options.by_length) return validate(options.lengths, arguments.positionals.size());
  if (!gives_any(arguments, options.lengths)) return;
  throw ConfigError(
      "`--source`, `--length-unit`, `--bucket-width`, `--longest`, `--figure` and `--label` go with "
      "`--by-length`");
}

void check_systems(const EvaluateOptions& options, const std::vector<std::string>& systems) {
  if (systems.empty()) throw ConfigError("no translations given: name their file behind the options");
  const bool confidence = std::holds_alternative<ConfidenceOptions>(options.significance);
  const bool paired = !confidence && !std::holds_alternative<NoSignificance>(options.significance);
  if (paired && systems.size() == 1) {
    throw ConfigError("--significance", "paired needs a baseline and at least one more file of translations");
  }
  require_own_figure(options, systems);
  if (options.by_length && paired) throw ConfigError("--by-length", "goes with `--significance confidence` or none");
  if (options.by_length && options.sentence_level) {
    throw ConfigError("--by-length", "does not go with `--sentence-level`");
  }
  if (!options.sentence_level) return;
  if (systems.size() > 1 || options.metric.size() > 1) {
    throw ConfigError("--sentence-level", "takes one file of translations and one metric");
  }
  if (paired || confidence) throw ConfigError("--sentence-level", "does not go with `--significance`");
}

}  // namespace

const NamedMetric* find_metric(std::string_view name) {
  const auto found = std::ranges::find(kMetrics, name, &NamedMetric::name);
  return found == kMetrics.end() ? nullptr : &*found;
}

std::string help_of_metrics() {
  return fmt::format("`NAME` of a metric: {}; give the option again for each further one", names_of_metrics(true));
}

void validate(const EvaluateOptions& options, const config::Arguments& arguments) {
  const std::vector<std::string>& systems = arguments.positionals;
  if (options.reference.empty()) {
    throw ConfigError("`--reference` is missing: name the file with reference translations");
  }
  check_metrics(options);
  check_options_of_metrics(options, arguments);
  check_systems(options, systems);
  check_by_length(options, arguments);
  std::vector<std::string> inputs = options.reference;
  inputs.insert(inputs.end(), systems.begin(), systems.end());
  inputs.push_back(options.lengths.source);
  require_one_standard_input(inputs);
}

}  // namespace heed::apps
