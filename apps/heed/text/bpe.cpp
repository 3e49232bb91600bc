#include <array>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/allocation.h"
#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/text/bpe/python/python_random.h"
#include "heed/text/bpe/segment_text.h"
#include "heed/text/bpe/words/word_counts.h"
#include "output.h"
#include "text/bpe_command.h"

namespace heed::apps {
namespace {

using text::LineEnds;

const config::CommandHelp kBpeHelp{
    .usage = "heed bpe COMMAND [options]",
    .summary =
        R"(Byte-pair encoding of words (Sennrich et al. 2016): frequent words stay whole, rare ones become several
subword units. Commands, options, files and results are identical to those of subword-nmt 0.3.8. The names
of its commands work too.)",
    .closing = R"(heed bpe COMMAND --help explains a command.

First steps, for a source and a target language:
  heed bpe learn-joint --input train.en train.de --symbols 10000 --output codes \
    --write-vocabulary vocabulary.en vocabulary.de
  heed bpe apply --codes codes --vocabulary vocabulary.en --vocabulary-threshold 50 < train.en > train.bpe.en
  sed -E 's/(@@ )|(@@ ?$)//g' train.bpe.en      # gives the words again

`heed train --text.type bpe` does all of this by itself.)"};

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
  visit("input", o.input, "text to segment (.gz too), or - for standard input");
  visit("output", o.output, "file for the result, or - for standard output");
  visit("codes", o.codes, "file of merges, from heed bpe learn");
  visit("merges", o.merges, "use only the first merges, this many; -1: all", at_least(-1));
  visit("separator", o.separator, "ends each unit that the next one continues");
  visit("vocabulary", o.vocabulary, "file from heed bpe vocabulary: merges that give units not in it are undone");
  visit("vocabulary-threshold", o.vocabulary_threshold,
        "units of the vocabulary with a lower count are treated as not in it");
  visit("dropout", o.dropout,
        "BPE-dropout: probability of leaving out each possible "
        "merge (Provilkov et al. 2020); for training text only",
        between(0, 1));
  visit("glossaries", o.glossaries, "regular expressions (Python's syntax) of parts of words that stay whole");
  visit("seed", o.seed, "seed of BPE-dropout's choices, as Python's random.seed");
  visit("num-workers", o.num_workers, std::string(kBpeWorkersHelp).append("; with dropout there is one thread"));
}
const config::CommandHelp kApplyHelp{
    .usage = "heed bpe apply --codes FILE [--input FILE] [--output FILE] [options]",
    .summary = R"(Splits the words of a text into subword units: heed splits each word into characters, then applies the
merges of the codes in their order. White space at both ends of a line stays; several spaces between words
become one.)",
    .examples = R"(  heed bpe apply --codes codes < test.de > test.bpe.de
  heed bpe apply -c codes --vocabulary vocabulary.de --vocabulary-threshold 50 < test.de
  heed bpe apply -c codes --dropout 0.1 --seed 7 < train.de      # other units in each epoch: another seed
  heed bpe apply -c codes --glossaries '<[a-z]+>' 'https?://.*' < test.de)",
};

int apply(const ApplyCommand& o, const config::Arguments& given) {
  reserve_pages();
  if (given.gives("seed") && o.dropout == 0) throw ConfigError("--seed", "has no effect without `--dropout`");
  require_option(!o.codes.empty(), "codes", "name the file of merges that `heed bpe learn` wrote");
  require_other_than_inputs("--output", o.output, std::array{o.input, o.codes, o.vocabulary.value_or(o.codes)});
  const text::BpeCodes codes = text::read_codes(o.codes, o.merges);
  text::BpeSegmenterOptions options{.separator = o.separator, .glossaries = o.glossaries};
  if (o.vocabulary) options.vocabulary = text::read_bpe_vocabulary(*o.vocabulary, o.vocabulary_threshold);
  const text::BpeSegmenter segmenter(codes, std::move(options));
  const int64_t threads = bpe_threads(o.num_workers);
  const LineEnds ends = codes.bytes ? LineEnds::Bytes : bpe_line_ends(o.input, o.num_workers);
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
  visit("input", o.input, "text whose words are counted (.gz too), or - for standard input");
  visit("output", o.output, "file for the vocabulary, or - for standard output");
}
const config::CommandHelp kVocabularyHelp{
    .usage = "heed bpe vocabulary [--input FILE] [--output FILE]",
    .summary =
        "Prints the words of a text (its units, after heed bpe apply), each with its count, the most frequent first.",
    .examples = "  heed bpe vocabulary < train.bpe.de > vocabulary.de",
};

int print_vocabulary(const VocabularyCommand& o, const config::Arguments&) {
  reserve_pages();
  require_other_than_inputs("--output", o.output, std::array{o.input});
  Output output(o.output);
  output.write(text::format_dictionary(text::count_words(o.input, LineEnds::Unicode, 1)));
  output.finish();
  return 0;
}

}  // namespace

int64_t bpe_threads(std::optional<int64_t> workers) {
  const int64_t asked = workers.value_or(1);
  return asked > 0 ? asked : available_cores();
}

bool bpe_lines_shared(std::optional<int64_t> workers) { return bpe_threads(workers) > 1; }

text::LineEnds bpe_line_ends(const std::string& input, std::optional<int64_t> workers) {
  return bpe_lines_shared(workers) && input != "-" ? LineEnds::Universal : LineEnds::Unicode;
}

void reserve_pages() { use_huge_pages(size_t{64} << 20U); }

config::Command bpe_command() {
  const auto apply_part = with_options<ApplyCommand>(
      {.name = "apply",
       .summary = "text and codes -> text of subword units",
       .other_name = "apply-bpe",
       .help = kApplyHelp,
       .letters = {{'i', "input"}, {'o', "output"}, {'c', "codes"}, {'m', "merges"}, {'s', "separator"}},
       .needs = {{"vocabulary-threshold", "vocabulary"}}},
      apply);
  const auto vocabulary_part = with_options<VocabularyCommand>({.name = "vocabulary",
                                                                .summary = "text -> its words with their counts",
                                                                .other_name = "get-vocab",
                                                                .help = kVocabularyHelp,
                                                                .letters = {{'i', "input"}, {'o', "output"}}},
                                                               print_vocabulary);
  return {.name = "bpe",
          .help = kBpeHelp,
          .parts = {bpe_learn_command(), apply_part, vocabulary_part, bpe_learn_joint_command()}};
}

}  // namespace heed::apps
