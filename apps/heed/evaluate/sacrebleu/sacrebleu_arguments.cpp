#include "evaluate/sacrebleu/sacrebleu_arguments.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/argparse.h"
#include "heed/core/enum_names.h"
#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"

namespace heed::apps {
namespace {

using config::ArgumentCount;
using config::ParsedOption;
using Names = std::vector<std::string>;
using Values = std::span<const std::string>;
using metrics::ReportFormat;

/// Stops parsing: --help and --version act as soon as they are read.
struct Asked {
  SacreBleuArguments::Asked what;
};

ParsedOption flag(Names names, bool& member, int exclusive_group = 0) {
  return {std::move(names), ArgumentCount::None, [&member](Values) { member = true; }, exclusive_group};
}

ParsedOption ask(Names names, SacreBleuArguments::Asked what) {
  return {std::move(names), ArgumentCount::None, [what](Values) { throw Asked{what}; }};
}

ParsedOption text(Names names, std::optional<std::string>& member) {
  return {std::move(names), ArgumentCount::One, [&member](Values values) { member = values[0]; }};
}

/// An integer option: an int64_t or int, or an optional of these.
template <class Number>
ParsedOption whole_number(Names names, Number& member) {
  return {std::move(names), ArgumentCount::One, [&member](Values values) {
            const auto value = parse_python_int(values[0]);
            if (!value) throw std::invalid_argument("invalid int value: " + python_repr(values[0]));
            if constexpr (std::is_same_v<Number, int>) {
              member = static_cast<int>(std::clamp<int64_t>(*value, -1, std::numeric_limits<int>::max()));
            } else {
              member = *value;
            }
          }};
}

void check_choice(const std::string& value, const Names& choices) {
  if (std::ranges::find(choices, value) != choices.end()) return;
  Names shown;
  for (const std::string& choice : choices) shown.push_back(python_repr(choice));
  throw std::invalid_argument(
      fmt::format("invalid choice: {} (choose from {})", python_repr(value), fmt::join(shown, ", ")));
}

template <class Text>
ParsedOption choice(Names names, Names choices, Text& member) {
  return {std::move(names), ArgumentCount::One, [choices = std::move(choices), &member](Values values) {
            check_choice(values[0], choices);
            member = values[0];
          }};
}

std::vector<ParsedOption> test_set_options(SacreBleuArguments& a) {
  return {
      flag({"--citation", "--cite"}, a.citation),
      flag({"--list"}, a.list),
      text({"--test-set", "-t"}, a.test_set),
      text({"--language-pair", "-l"}, a.language_pair),
      text({"--origlang", "-ol"}, a.original_language),
      text({"--subset"}, a.subset),
      text({"--download"}, a.download),
      {{"--echo"}, ArgumentCount::OneOrMore, [&a](Values fields) { a.echo.emplace(fields.begin(), fields.end()); }}};
}

std::vector<ParsedOption> input_options(SacreBleuArguments& a) {
  return {
      {{"--input", "-i"}, ArgumentCount::Any, [&a](Values files) { a.systems.emplace(files.begin(), files.end()); }},
      {{}, ArgumentCount::Any, [&a](Values files) { a.references.assign(files.begin(), files.end()); }},
      whole_number({"--num-refs", "-nr"}, a.tab_references),
      {{"--encoding", "-e"}, ArgumentCount::One, [&a](Values values) { a.encoding = values[0]; }},
      {{"--metrics", "-m"},
       ArgumentCount::OneOrMore,
       [&a](Values values) {
         for (const std::string& value : values) check_choice(value, {"bleu", "chrf", "ter"});
         a.metrics.assign(values.begin(), values.end());
       }},
      flag({"--sentence-level", "-sl"}, a.sentence_level)};
}

std::vector<ParsedOption> metric_options(SacreBleuArguments& a) {
  return {choice({"--smooth-method", "-s"}, {"none", "floor", "add-k", "exp"}, a.smoothing),
          {{"--smooth-value", "-sv"},
           ArgumentCount::One,
           [&a](Values values) {
             a.smoothing_value = parse_python_float(values[0]);
             if (!a.smoothing_value) throw std::invalid_argument("invalid float value: " + python_repr(values[0]));
           }},
          choice({"--tokenize", "-tok"},
                 {"none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200",
                  "spBLEU-1K"},
                 a.tokenizer),
          flag({"--lowercase", "-lc"}, a.bleu.lowercase),
          flag({"--force"}, a.force),
          whole_number({"--chrf-char-order", "-cc"}, a.chrf.char_order),
          whole_number({"--chrf-word-order", "-cw"}, a.chrf.word_order),
          whole_number({"--chrf-beta"}, a.chrf.beta),
          flag({"--chrf-whitespace"}, a.chrf.whitespace),
          flag({"--chrf-lowercase"}, a.chrf.lowercase),
          flag({"--chrf-eps-smoothing"}, a.chrf.eps_smoothing),
          flag({"--ter-case-sensitive"}, a.ter.case_sensitive),
          flag({"--ter-asian-support"}, a.ter.asian_support),
          flag({"--ter-no-punct"}, a.ter.no_punct),
          flag({"--ter-normalized"}, a.ter.normalized)};
}

std::vector<ParsedOption> significance_options(SacreBleuArguments& a) {
  constexpr int kPairedTests = 1;
  return {flag({"--confidence", "-ci"}, a.confidence),
          whole_number({"--confidence-n", "-cin"}, a.confidence_samples),
          flag({"--paired-ar", "-par"}, a.paired_randomization, kPairedTests),
          flag({"--paired-bs", "-pbs"}, a.paired_bootstrap, kPairedTests),
          whole_number({"--paired-ar-n", "-parn"}, a.randomization_trials),
          whole_number({"--paired-bs-n", "-pbsn"}, a.bootstrap_samples),
          whole_number({"--paired-jobs", "-j"}, a.jobs)};
}

/// Sets `format` if `name` is a format.
void set_format(std::string_view name, ReportFormat& format) {
  format = enum_value<ReportFormat>(name).value_or(format);
}

std::vector<ParsedOption> output_options(SacreBleuArguments& a) {
  return {flag({"--quiet", "-q"}, a.quiet),
          flag({"--short", "-sh"}, a.style.short_signature),
          flag({"--score-only", "-b"}, a.style.score_only),
          whole_number({"--width", "-w"}, a.style.decimals),
          flag({"--detail", "-d"}, a.detail),
          flag({"--no-color", "-nc"}, a.no_color),
          {{"--format", "-f"},
           ArgumentCount::One,
           [&a](Values values) {
             check_choice(values[0], {"json", "text", "latex"});
             set_format(values[0], a.style.format);
           }},
          ask({"--version", "-V"}, SacreBleuArguments::Asked::Version)};
}

}  // namespace

SacreBleuArguments parse_sacrebleu_arguments(std::span<const std::string> arguments) {
  SacreBleuArguments parsed;
  std::vector<ParsedOption> options{ask({"-h", "--help"}, SacreBleuArguments::Asked::Help)};
  for (const auto group : {test_set_options, input_options, metric_options, significance_options, output_options}) {
    std::ranges::move(group(parsed), std::back_inserter(options));
  }
  try {
    config::parse_as_argparse(options, arguments);
  } catch (const Asked& asked) {
    parsed.asked = asked.what;
  }
  if (const char* format = std::getenv("SACREBLEU_FORMAT")) set_format(lower(format), parsed.style.format);
  return parsed;
}

}  // namespace heed::apps
