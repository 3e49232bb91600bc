// The options of `heed evaluate --reference`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heed/command_line/command.h"
#include "heed/core/options.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/bleu/multi_bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/metric.h"
#include "heed/metrics/tokenizers/ter_tokenizer.h"

namespace heed::apps {

struct NoSignificance {
  static constexpr std::string_view kName = "none";
};
void describe(NoSignificance&, AnyOptionVisitor auto&) {}

/// Options that all resampling methods share.
struct Resampling {
  int64_t samples = 1000;
  int64_t random_seed = 12345;
};
void describe_resampling(Resampling& o, AnyOptionVisitor auto& visit) {
  visit("samples", o.samples, "resamples of the test set, or trials of the randomization", at_least(1));
  visit("seed", o.random_seed, "seed of the random numbers, which are NumPy's", at_least(0));
}

struct ConfidenceOptions : Resampling {
  static constexpr std::string_view kName = "confidence";
};
struct PairedBootstrapOptions : Resampling {
  static constexpr std::string_view kName = "paired-bootstrap";
};
struct PairedRandomizationOptions : Resampling {
  static constexpr std::string_view kName = "paired-randomization";
  PairedRandomizationOptions() { samples = 10000; }
};
void describe(ConfidenceOptions& o, AnyOptionVisitor auto& visit) { describe_resampling(o, visit); }
void describe(PairedBootstrapOptions& o, AnyOptionVisitor auto& visit) { describe_resampling(o, visit); }
void describe(PairedRandomizationOptions& o, AnyOptionVisitor auto& visit) { describe_resampling(o, visit); }

enum class LengthUnit { Words, Characters };
constexpr auto option_names(LengthUnit) {
  return std::array{std::pair{LengthUnit::Words, "words"}, std::pair{LengthUnit::Characters, "characters"}};
}

/// The options of scores by sentence length.
struct ByLengthOptions {
  std::string source;                   ///< file whose line lengths are used; empty: the first reference
  LengthUnit unit = LengthUnit::Words;  ///< unit of lengths
  int64_t width = 10;                   ///< number of lengths per bucket
  std::optional<int64_t> longest = {};  ///< all longer lines share one bucket
  std::vector<std::string> label;       ///< name of each system, instead of its file's name
  bool operator==(const ByLengthOptions&) const = default;
};
void describe(ByLengthOptions& o, AnyOptionVisitor auto& visit) {
  visit("source", o.source,
        "`FILE` with the source text: `by-length` uses its sentence lengths (without it those of the first reference), "
        "`report` shows it");
  visit("length-unit", o.unit, "unit of sentence length; words stand between white space");
  visit("bucket-width", o.width, "width of a length bucket, a row of the table: 10 means 0-10, 11-20, ...",
        at_least(1));
  visit("longest", o.longest,
        "all lines longer than this share the last bucket (a multiple of the bucket's width); none: no limit",
        at_least(1));
  visit("label", o.label,
        "`NAME` of a system in table, figure and report; give the option once for each system, in their order");
}

struct EvaluateOptions {
  std::vector<std::string> reference;
  bool tab_references = false;
  std::vector<std::string> metric{"bleu"};
  metrics::BleuOptions bleu;
  metrics::ChrfOptions chrf;
  metrics::TerOptions ter;
  metrics::MosesBleuOptions multi_bleu;
  bool sentence_level = false;
  bool worst_first = false;
  bool by_length = false;
  ByLengthOptions lengths;
  bool confusion = false;
  std::string figure;       ///< SVG file for a chart of the table; empty: no chart
  std::string report;       ///< HTML file for a page about all systems; empty: no page
  std::string frequencies;  ///< text whose words are counted for it; empty: the first reference
  std::variant<NoSignificance, ConfidenceOptions, PairedBootstrapOptions, PairedRandomizationOptions> significance{};
  int64_t decimals = 1;
  int64_t threads = 0;
};

/// The input that a metric is constructed from.
struct MetricContext {
  const EvaluateOptions& options;
  const metrics::References& references;
  std::span<const std::vector<std::string>> systems;  ///< the lines of each system
};

/// A metric and its name in `--metric`.
struct NamedMetric {
  std::string_view name;
  std::string_view help;  ///< a few words after the name in --help; may be empty
  std::unique_ptr<const metrics::Metric> (*make)(const MetricContext& context);
  double (*badness)(double score);  ///< higher for a worse score
};
/// The metric with this name; null if it does not exist.
const NamedMetric* find_metric(std::string_view name);
/// The help text of `--metric`.
std::string help_of_metrics();

void describe(EvaluateOptions& o, AnyOptionVisitor auto& visit) {
  visit("reference", o.reference,
        "`FILE` with reference translations; give the option again for each further reference of the same lines");
  visit("tab-references", o.tab_references,
        "each line of the reference file holds all references "
        "of that line, TABs between them; their number may vary");
  visit("metric", o.metric, help_of_metrics());
  visit("sentence-level", o.sentence_level,
        "print a score for each line instead of one for the file: a table with TABs, with a column for each system");
  visit("worst-first", o.worst_first,
        "order the lines of `sentence-level` by the score of the first system under the first metric, the worst first");
  visit("by-length", o.by_length, "print a table of scores by sentence length, for any number of systems");
  describe(o.lengths, visit);
  visit("confusion", o.confusion,
        "print precision, recall and F1 of each class of labels, and which classes are confused");
  visit("figure", o.figure,
        "`FILE.svg` for a figure: with --by-length line charts of the scores, a chart for each metric and a line for "
        "each system; with --confusion a heat map");
  visit("report", o.report,
        "`FILE.html` for a page to look at: scores with confidence intervals and significance, by sentence length and "
        "by frequency of words, n-grams, and the sentences with their words colored by edit, the worst and the most "
        "different first. It has BLEU, chrF and TER if `metric` is not given");
  visit("frequencies", o.frequencies,
        "`FILE` of text, such as the training text, in which the words of `report` are counted (without it the first "
        "reference)");
  visit.alternatives("significance", o.significance,
                     "bootstrap confidence interval (confidence), or paired test "
                     "of each further system against the first, the baseline");
  visit("decimals", o.decimals, "digits after the decimal point", between(0, 15));
  visit("threads", o.threads,
        "CPU threads; 0: one for each core that the CPU quota allows. Results do not depend on it", between(0, 1024));
  metrics::describe(o.bleu, visit);
  visit.section("chrf", o.chrf, "chrF and chrF++ (--metric chrf, chrf++)");
  visit.section("multi-bleu", o.multi_bleu,
                "BLEU of tokenized text as Moses' multi-bleu.perl computes it (--metric multi-bleu)");
  visit.section("ter", o.ter, "translation edit rate (--metric ter)");
}

/// Throws ConfigError for options that conflict or have no effect. arguments: those that `options` were read from; the
/// files of translations are its positional arguments.
void validate(const EvaluateOptions& options, const config::Arguments& arguments);

}  // namespace heed::apps
