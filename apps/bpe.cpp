#include <array>
#include <cstdio>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/allocation.h"
#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/text/bpe/learn_bpe.h"
#include "heed/text/bpe/python_random.h"
#include "heed/text/bpe/segment_text.h"
#include "heed/text/bpe/word_counts.h"
#include "output.h"
#include "short_options.h"

namespace heed::apps {
namespace {

using text::LineEnds;

constexpr std::string_view kOverview =
    R"(usage: heed bpe COMMAND [options]

Byte-pair encoding of words (Sennrich et al. 2016), with the commands, options, files and results of
subword-nmt 0.3.8: frequent words stay whole, rare ones become several subword units.

Commands (subword-nmt's own names work too):
  heed bpe learn        text -> codes: the list of merges        (learn-bpe)
  heed bpe apply        text and codes -> text of subword units  (apply-bpe)
  heed bpe vocabulary   text -> its words with their counts      (get-vocab)
  heed bpe learn-joint  texts of several languages -> common codes, a vocabulary for each
                                                                 (learn-joint-bpe-and-vocab)
  heed bpe COMMAND --help explains a command

First steps, for a source and a target language:
  heed bpe learn-joint --input train.en train.de --symbols 10000 --output codes \
    --write-vocabulary vocabulary.en vocabulary.de
  heed bpe apply --codes codes --vocabulary vocabulary.en --vocabulary-threshold 50 < train.en > train.bpe.en
  sed -E 's/(@@ )|(@@ ?$)//g' train.bpe.en      # gives the words again

`heed train --text.type bpe` does all of this by itself.
)";

void report(const std::string& line) { std::fputs((line + '\n').c_str(), stderr); }

int64_t threads_of(std::optional<int64_t> workers) {
  const int64_t asked = workers.value_or(1);
  return asked > 0 ? asked : available_cores();
}

/// subword-nmt reads lines otherwise when it is told that several workers share them.
bool shared(std::optional<int64_t> workers) { return threads_of(workers) > 1; }
LineEnds line_ends_of(const std::string& input, std::optional<int64_t> workers) {
  return shared(workers) && input != "-" ? LineEnds::Universal : LineEnds::Unicode;
}

void write(const std::string& path, std::string_view content) {
  Output output(path);
  output.write(content);
  output.finish();
}

constexpr std::string_view kSymbolsHelp =
    "learn this many merges, each of which makes one new symbol; fewer where pairs get rare";
constexpr std::string_view kMinFrequencyHelp = "stop when no pair of symbols is this frequent";
constexpr std::string_view kTotalSymbolsHelp =
    "take the number of different characters off --symbols, which is then about the size of the vocabulary";
constexpr std::string_view kWorkersHelp =
    "threads, 1 if not given; 0 or less: one for each core. As in subword-nmt, more than one cut files into lines at LF and "
    "CR only";

struct LearnCommand {
  std::string input = "-";
  std::string output = "-";
  text::LearnBpeOptions learning;
  bool dict_input = false;
  std::optional<int64_t> num_workers;
};
void describe(LearnCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "(-i) text to learn from (.gz too), or - for standard input");
  visit("output", o.output, "(-o) file for the codes, or - for standard output");
  visit("symbols", o.learning.symbols, std::string("(-s) ").append(kSymbolsHelp));
  visit("min-frequency", o.learning.min_frequency, kMinFrequencyHelp);
  visit("byte", o.learning.bytes, "(-b) symbols begin as bytes, not as characters");
  visit("dict-input", o.dict_input, "the input is a dictionary: lines of a word, a space and its count");
  visit("total-symbols", o.learning.total_symbols, std::string("(-t) ").append(kTotalSymbolsHelp));
  visit("num-workers", o.num_workers, kWorkersHelp);
  visit("verbose", o.learning.verbose, "(-v) report every merge");
}
constexpr std::array kLearnLetters{ShortOption{'i', "input"}, ShortOption{'o', "output"}, ShortOption{'s', "symbols"},
                                   ShortOption{'b', "byte"}, ShortOption{'t', "total-symbols"}, ShortOption{'v', "verbose"}};
const config::CommandHelp kLearnHelp{
    .usage = "heed bpe learn [--input FILE] [--output FILE] [--symbols N] [options]",
    .summary = R"(Learns byte-pair encoding: beginning with characters, the most frequent pair of neighbouring symbols
within words becomes one symbol, again and again. The codes are the list of these merges.)",
    .examples = R"(  heed bpe learn --symbols 10000 < train.de > codes
  cat train.en train.de | heed bpe learn -s 32000 -o codes)",
};

int run_learn(CommandArguments arguments) {
  LearnCommand o;
  if (!read_command_line(kLearnHelp, config::walk_of(o), arguments, config::Positionals::Refused)) return 0;
  const LineEnds ends = o.learning.bytes ? LineEnds::Bytes : LineEnds::Unicode;
  const text::WordCounts words =
      o.dict_input ? text::read_dictionary(o.input, ends)
                   : text::count_words(o.input, o.learning.bytes ? ends : line_ends_of(o.input, o.num_workers),
                                       threads_of(o.num_workers));
  write(o.output, text::format_codes(text::learn_bpe(words, o.learning, report)));
  return 0;
}

struct ApplyCommand {
  std::string input = "-";
  std::string output = "-";
  std::string codes;
  int64_t merges = -1;
  std::string separator = "@@";
  std::optional<std::string> vocabulary;
  std::optional<int64_t> vocabulary_threshold;
  double dropout = 0;
  std::vector<std::string> glossaries;
  int64_t seed = 1;
  std::optional<int64_t> num_workers;
};
void describe(ApplyCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "(-i) text to segment (.gz too), or - for standard input");
  visit("output", o.output, "(-o) file for the result, or - for standard output");
  visit("codes", o.codes, "(-c) file of merges, from heed bpe learn");
  visit("merges", o.merges, "(-m) use this many merges only, the first ones; -1: all", at_least(-1));
  visit("separator", o.separator, "(-s) ends each unit that the next one continues");
  visit("vocabulary", o.vocabulary, "file from heed bpe vocabulary: merges that give units not in it are undone");
  visit("vocabulary-threshold", o.vocabulary_threshold, "units of the vocabulary that are rarer count as not in it");
  visit("dropout", o.dropout, "leave out each possible merge with this probability (Provilkov et al. 2020); for training "
        "text only", between(0, 1));
  visit("glossaries", o.glossaries, "regular expressions (Python's syntax) of parts of words that stay whole");
  visit("seed", o.seed, "what the choices of dropout follow from, as with Python's random.seed");
  visit("num-workers", o.num_workers, std::string(kWorkersHelp).append("; with dropout there is one thread"));
}
constexpr std::array kApplyLetters{ShortOption{'i', "input"}, ShortOption{'o', "output"}, ShortOption{'c', "codes"},
                                   ShortOption{'m', "merges"}, ShortOption{'s', "separator"}};
const config::CommandHelp kApplyHelp{
    .usage = "heed bpe apply --codes FILE [--input FILE] [--output FILE] [options]",
    .summary = R"(Cuts the words of a text into subword units: each word begins as its characters, and the merges of the
codes are applied in their order. White space at both ends of a line is kept, spaces between words become one.)",
    .examples = R"(  heed bpe apply --codes codes < test.de > test.bpe.de
  heed bpe apply -c codes --vocabulary vocabulary.de --vocabulary-threshold 50 < test.de
  heed bpe apply -c codes --dropout 0.1 --seed 7 < train.de      # other units in each epoch: another seed
  heed bpe apply -c codes --glossaries '<[a-z]+>' 'https?://.*' < test.de)",
};

int run_apply(CommandArguments arguments) {
  ApplyCommand o;
  if (!read_command_line(kApplyHelp, config::walk_of(o), arguments, config::Positionals::Refused)) return 0;
  require_option(!o.codes.empty(), "codes", "name the file of merges that `heed bpe learn` wrote");
  if (o.vocabulary_threshold && !o.vocabulary) {
    throw ConfigError("--vocabulary-threshold", "applies only with `--vocabulary`");
  }
  const text::BpeCodes codes = text::read_codes(o.codes, o.merges);
  text::BpeSegmenterOptions options{.separator = o.separator, .glossaries = o.glossaries};
  if (o.vocabulary) options.vocabulary = text::read_bpe_vocabulary(*o.vocabulary, o.vocabulary_threshold);
  const text::BpeSegmenter segmenter(codes, std::move(options));
  const int64_t threads = threads_of(o.num_workers);
  LineEnds ends = o.input == "-" ? LineEnds::Universal : line_ends_of(o.input, o.num_workers);
  if (codes.bytes) ends = LineEnds::Bytes;
  Output output(o.output);
  const auto out = [&](std::string_view text) { output.write(text); };
  if (o.dropout > 0) {
    text::PythonRandom random(o.seed);
    text::LineSegmenter lines(segmenter, o.dropout, [&] { return random.uniform(); });
    text::segment_text(o.input, ends, lines, out);
  } else {
    text::segment_text(o.input, ends, segmenter, threads, out);
  }
  output.finish();
  return 0;
}

struct VocabularyCommand {
  std::string input = "-";
  std::string output = "-";
};
void describe(VocabularyCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "(-i) text whose words are counted (.gz too), or - for standard input");
  visit("output", o.output, "(-o) file for the vocabulary, or - for standard output");
}
constexpr std::array kVocabularyLetters{ShortOption{'i', "input"}, ShortOption{'o', "output"}};
const config::CommandHelp kVocabularyHelp{
    .usage = "heed bpe vocabulary [--input FILE] [--output FILE]",
    .summary = "Prints the words of a text (its units, after heed bpe apply), each with its count, the most frequent first.",
    .examples = "  heed bpe vocabulary < train.bpe.de > vocabulary.de",
};

int run_vocabulary(CommandArguments arguments) {
  VocabularyCommand o;
  if (!read_command_line(kVocabularyHelp, config::walk_of(o), arguments, config::Positionals::Refused)) return 0;
  write(o.output, text::format_dictionary(text::count_words(o.input, LineEnds::Unicode, 1)));
  return 0;
}

struct JointCommand {
  std::vector<std::string> input;
  std::string output;
  std::vector<std::string> write_vocabulary;
  text::LearnBpeOptions learning;
  std::string separator = "@@";
  std::optional<int64_t> num_workers;
};
void describe(JointCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "(-i) texts to learn from (.gz too), one for each language");
  visit("output", o.output, "(-o) file for the codes");
  visit("write-vocabulary", o.write_vocabulary, "files for the vocabularies of the segmented texts, one for each input");
  visit("symbols", o.learning.symbols, std::string("(-s) ").append(kSymbolsHelp));
  visit("separator", o.separator, "ends each unit that the next one continues");
  visit("min-frequency", o.learning.min_frequency, kMinFrequencyHelp);
  visit("total-symbols", o.learning.total_symbols, std::string("(-t) ").append(kTotalSymbolsHelp));
  visit("num-workers", o.num_workers, kWorkersHelp);
  visit("verbose", o.learning.verbose, "(-v) report every merge");
}
constexpr std::array kJointLetters{ShortOption{'i', "input"}, ShortOption{'o', "output"}, ShortOption{'s', "symbols"},
                                   ShortOption{'t', "total-symbols"}, ShortOption{'v', "verbose"}};
const config::CommandHelp kJointHelp{
    .usage = "heed bpe learn-joint --input FILE... --output FILE --write-vocabulary FILE... [options]",
    .summary = R"(Learns common codes from the texts of several languages, applies them to each text and writes its
vocabulary, for heed bpe apply --vocabulary.)",
    .examples = R"(  heed bpe learn-joint --input train.en train.de --symbols 10000 --output codes \
    --write-vocabulary vocabulary.en vocabulary.de)",
};

int run_learn_joint(CommandArguments arguments) {
  JointCommand o;
  if (!read_command_line(kJointHelp, config::walk_of(o), arguments, config::Positionals::Refused)) return 0;
  require_option(!o.input.empty(), "input", "name the texts to learn from");
  require_option(!o.output.empty(), "output", "name the file for the codes");
  if (o.write_vocabulary.size() != o.input.size()) {
    throw ConfigError("--write-vocabulary", fmt::format("must name one file for each input, {} for {} is not",
                                                        o.write_vocabulary.size(), o.input.size()));
  }
  const int64_t threads = threads_of(o.num_workers);
  text::WordCounts words;
  for (const std::string& path : o.input) words.add(text::count_words(path, line_ends_of(path, o.num_workers), threads));
  const text::BpeCodes codes = text::learn_bpe(words, o.learning, report);
  write(o.output, text::format_codes(codes));
  const text::BpeSegmenter segmenter(codes, {.separator = o.separator});
  for (size_t i = 0; i < o.input.size(); ++i) {
    text::WordCounts units;
    // subword-nmt segments lines that end in LF or CR only, and counts in the result lines of any end.
    text::segment_text(o.input[i], LineEnds::Universal, segmenter, threads, [&](std::string_view text) {
      units.add_block(text, shared(o.num_workers) ? LineEnds::Universal : LineEnds::Unicode);
    });
    write(o.write_vocabulary[i], text::format_dictionary(units));
  }
  return 0;
}

struct Part {
  std::string_view name, original;
  int (*run)(CommandArguments arguments);
  std::span<const ShortOption> letters;
};
const std::array kParts{Part{"learn", "learn-bpe", run_learn, kLearnLetters},
                        Part{"apply", "apply-bpe", run_apply, kApplyLetters},
                        Part{"vocabulary", "get-vocab", run_vocabulary, kVocabularyLetters},
                        Part{"learn-joint", "learn-joint-bpe-and-vocab", run_learn_joint, kJointLetters}};

}  // namespace

int run_bpe(CommandArguments arguments) {
  if (arguments.empty()) throw ConfigError("`heed bpe` needs a command: learn, apply, vocabulary or learn-joint");
  const std::string& name = arguments[0];
  if (name == "--help" || name == "-h" || name == "--help-all") {
    print(kOverview);
    return 0;
  }
  prefer_large_pages(size_t{64} << 20U);
  for (const Part& part : kParts) {
    if (name == part.name || name == part.original) return part.run(with_long_names(arguments.subspan(1), part.letters));
  }
  throw ConfigError("`" + name + "` is not a command of `heed bpe`, which are learn, apply, vocabulary and learn-joint");
}

}  // namespace heed::apps
