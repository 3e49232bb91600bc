#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "commands.h"
#include "evaluate/reference_evaluation.h"
#include "evaluate/sacrebleu/sacrebleu_command.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"
#include "heed/metrics/alignment_error_rate.h"

namespace heed::apps {
namespace {

const config::CommandHelp kEvaluateHelp{
    .usage =
        "heed evaluate --reference FILE [--reference FILE]... [options] TRANSLATION_FILE...\n"
        "       heed evaluate REFERENCE_FILE... [-i TRANSLATION_FILE...] [options of sacreBLEU]\n"
        "       heed evaluate --alignment GOLD_FILE [--decimals N] ALIGNMENT_FILE...",
    .summary =
        R"(Scores translations against references. BLEU, chrF and TER are identical to those of sacreBLEU 2.6.0, and
each has its signature. (Confidence intervals and significance tests are those with NumPy 1.) Line N of a
translation is compared with line N of the references. Files may be .gz.

There are two ways to call it. With --reference, the files after the options are the systems (`-` is standard
input), each result is a line of text, and the options below apply. Without --reference, heed reads the
arguments of sacreBLEU and prints what sacreBLEU prints: JSON, or text with -f text.

With --reference you can also score transcripts (--metric wer, cer), labels (accuracy, macro-f1, span-f1) and
numbers (mse, mae). --confusion prints precision, recall and F1 of each class, and which classes are confused.
--by-length prints scores by sentence length, as a table and a figure. --alignment prints the alignment error
rate of word alignments, as heed align --format pharaoh writes them, against gold alignments: 0-2 is a sure
link of source word 0 and target word 2, 0?2 a possible link.)",
    .examples = R"(  heed evaluate --reference test.de out.de
  heed evaluate --reference a.de --reference b.de out.de          # two references
  heed evaluate --reference test.de old.de new.de                 # two systems, one line each
  heed evaluate --reference test.de --metric bleu --metric chrf++ --metric ter out.de
  heed evaluate --reference test.de --sentence-level --worst-first new.de old.de | head    # a column for each
  heed evaluate --reference test.de --significance confidence out.de       # BLEU = 26.6 (μ = 26.6 ± 0.6)
  heed evaluate --reference test.de --significance paired-bootstrap baseline.de new.de
  heed evaluate --reference test.de --by-length --source test.en --figure lengths.svg rnn.de transformer.de
  heed evaluate --reference test.tok.de --tokenize none out.tok.de   # text that is tokenized already
  heed evaluate --reference test.txt --metric wer --metric cer out.txt                  # transcripts
  heed evaluate --reference test.labels --metric accuracy --metric macro-f1 out.labels
  heed evaluate --reference test.labels --confusion --figure confusion.svg out.labels

  heed evaluate test.de -i out.de -m bleu chrf ter -w 4 -l en-de     # with the options of sacreBLEU
  heed evaluate test.de -f text < out.de
  heed evaluate test.de -i baseline.de new.de --paired-bs -f text)",
    .closing =
        R"(Options of sacreBLEU (without --reference; `--name value`, `--name=value` or a unique beginning of a name):
  REFERENCE_FILE...               references, one file for each; before -i
  -i, --input FILE...             systems; without it they are read from standard input, TABs between
                                  several
  -nr, --num-refs N               references on each line of the one reference file, TABs between them
  -e, --encoding NAME             encoding of the files [utf-8]
  -l, --language-pair xx-yy       chooses the tokenizer: zh for yy = zh, ja-mecab for ja, ko-mecab for ko
  -m, --metrics NAME...           bleu, chrf, ter [bleu]
  -sl, --sentence-level           a score for each line
  -tok, --tokenize NAME           BLEU: none, zh, 13a, intl, char, ja-mecab, ko-mecab, spm, flores101, flores200,
                                  spBLEU-1K
  -s, --smooth-method NAME        BLEU: none, floor, add-k, exp [exp];  -sv, --smooth-value X [floor 0.1, add-k 1]
  -lc, --lowercase; --force       BLEU: without regard to case; no warning of lines that look tokenized
  -cc, --chrf-char-order N [6];  -cw, --chrf-word-order N [0; 2: chrF++];  --chrf-beta N [2];
  --chrf-whitespace;  --chrf-lowercase;  --chrf-eps-smoothing
  --ter-case-sensitive;  --ter-asian-support;  --ter-no-punct;  --ter-normalized
  -ci, --confidence;  -cin, --confidence-n N [1000]
  -pbs, --paired-bs;  -pbsn, --paired-bs-n N [1000];  -par, --paired-ar;  -parn, --paired-ar-n N [10000]
  -j, --paired-jobs N             threads [all cores]
  -f, --format NAME               json, text, latex [json]
  -w, --width N                   digits after the point [1];  -b, --score-only: the number alone
  -sh, --short;  -q, --quiet;  -d, --detail;  -nc, --no-color;  -V, --version
  Test sets are not downloaded: -t, --list, --echo, --download and --citation explain how to give files.
  SACREBLEU_SEED, SACREBLEU_FORMAT, SACREBLEU and NO_COLOR are read from the environment.
  Exit codes: 0; 1 for wrong input; 17 for lines with another number of TABs; 2 for wrong usage.)",
};

const config::CommandHelp kAlignmentHelp{
    .usage = "heed evaluate --alignment GOLD_FILE [--decimals N] ALIGNMENT_FILE...",
    .summary = R"(Prints the alignment error rate (Och and Ney 2003) of each file of word alignments, with precision and
recall, in percent. Line N is compared with line N of the gold alignments.)",
    .examples = R"(  heed evaluate --alignment gold.align out.align)",
};

struct AlignmentEvaluation {
  std::string alignment;
  int64_t decimals = 1;
};
void describe(AlignmentEvaluation& o, AnyOptionVisitor auto& visit) {
  visit("alignment", o.alignment, "`FILE` with the gold alignments: links 0-2 are sure, 0?2 possible");
  visit("decimals", o.decimals, "digits after the decimal point", between(0, 15));
}

enum class Links { Sure, Any };

std::vector<std::string> read_alignments(const std::string& path, Links allowed) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    try {
      const bool all_sure = metrics::parse_alignment(line).all_sure();
      if (allowed == Links::Sure && !all_sure) {
        throw Error("expected links such as 0-0 only, found a possible one, which gold alignments have");
      }
    } catch (const Error& error) {
      throw InputError(reader.path(), reader.line_number(), error.what());
    }
    lines.push_back(line);
  }
  return lines;
}

/// The report: one line per file of alignments.
std::string evaluate_alignments(const AlignmentEvaluation& options, const std::vector<std::string>& systems) {
  if (systems.empty()) throw ConfigError("no alignments given: name their file after the options");
  std::vector<std::string> inputs = systems;
  inputs.push_back(options.alignment);
  require_one_standard_input(inputs);
  const auto gold = metrics::References::from_files({read_alignments(options.alignment, Links::Any)});
  if (gold.size() == 0) throw InputError(options.alignment, 0, "has no lines");
  const metrics::AlignmentErrorRate metric;
  std::string report;
  for (const std::string& path : systems) {
    const std::vector<std::string> lines = read_alignments(path, Links::Sure);
    if (lines.size() != gold.size()) {
      const std::string count = counted(static_cast<int64_t>(lines.size()), "line");
      throw InputError(path, 0,
                       fmt::format("has {}, but {} has {}", count, input_name(options.alignment), gold.size()));
    }
    if (systems.size() > 1) report += path + ": ";
    report += metric.line(metric.corpus_score(lines, gold), "", static_cast<int>(options.decimals)) + '\n';
  }
  return report;
}

bool names_option(CommandArguments arguments, std::string_view option) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return false;
    if (argument.substr(0, argument.find('=')) == option) return true;
  }
  return false;
}

int print_alignment_error(const AlignmentEvaluation& o, const config::Arguments& given) {
  print(evaluate_alignments(o, given.positionals));
  return 0;
}
int print_scores(const EvaluateOptions& o, const config::Arguments& given) {
  print(evaluate_with_references(o, given));
  return 0;
}

int print_help() { return run_command(evaluate_command(), std::array<std::string, 1>{"--help"}); }

/// Whether standard input is a terminal or /dev/null.
bool nothing_is_piped() {
  struct stat input = {}, null = {};
  if (fstat(STDIN_FILENO, &input) != 0) return true;
  return isatty(STDIN_FILENO) != 0 || (stat("/dev/null", &null) == 0 && input.st_rdev == null.st_rdev);
}

/// Whether sacreBLEU's arguments name systems, or ask for something that needs none.
bool needs_no_standard_input(CommandArguments arguments) {
  constexpr auto kOther = std::to_array<std::string_view>(
      {"-h", "--help", "-V", "--version", "--list", "--citation", "--echo", "--download", "-t", "--test-set"});
  return std::ranges::any_of(arguments, [&](const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    return argument.starts_with("-i") || argument.starts_with("--in") ||
           std::ranges::find(kOther, name) != kOther.end();
  });
}

/// Refuses arguments without references and without systems. Without this, sacreBLEU's form would wait for systems on
/// standard input.
void require_reference(CommandArguments arguments) {
  if (needs_no_standard_input(arguments) || !nothing_is_piped()) return;
  const std::string file = arguments.empty() || arguments.back().starts_with('-') ? "out.de" : arguments.back();
  throw ConfigError(
      fmt::format("`--reference` is missing: `heed evaluate --reference REFERENCE {0}` scores the translations in {0}; "
                  "in sacreBLEU's form, `heed evaluate REFERENCE -i {0}`",
                  shell_path(file)));
}

/// Runs sacreBLEU's command line, or `--alignment`, whose options are entirely different.
int evaluate_otherwise(CommandArguments arguments) {
  if (!names_option(arguments, "--alignment")) {
    require_reference(arguments);
    return run_sacrebleu(arguments, print_help);
  }
  const auto command = with_options<AlignmentEvaluation>(
      {.name = "evaluate", .help = kAlignmentHelp, .positionals = config::Positionals::Allowed}, print_alignment_error);
  return run_command(command, arguments);
}

bool is_otherwise(CommandArguments arguments) {
  const auto names = [&](std::string_view option) { return names_option(arguments, option); };
  return names("--alignment") ||
         !(names("--reference") || names("--by-length") || names("--confusion") || names("--help-all"));
}

}  // namespace

config::Command evaluate_command() {
  return with_options<EvaluateOptions>({.name = "evaluate",
                                        .help = kEvaluateHelp,
                                        .positionals = config::Positionals::Allowed,
                                        .run_raw = evaluate_otherwise,
                                        .parses_itself = is_otherwise},
                                       print_scores);
}

}  // namespace heed::apps
