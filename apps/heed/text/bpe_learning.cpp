// heed bpe learn and learn-joint.
#include <array>
#include <cstdio>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/printable.h"
#include "heed/text/bpe/learn_bpe.h"
#include "heed/text/bpe/segment_text.h"
#include "heed/text/bpe/words/word_counts.h"
#include "output.h"
#include "progress.h"
#include "text/bpe_command.h"

namespace heed::apps {
namespace {

using text::LineEnds;

void report(const std::string& line) { std::fputs((printable_message(line) + '\n').c_str(), stderr); }

/// The options of both commands.
struct Learning {
  text::LearnBpeOptions options;
  std::optional<int64_t> workers;
};
void describe(Learning& o, OptionVisitor& visit) {
  visit("symbols", o.options.symbols, "merges to learn; each makes one new symbol; fewer if pairs get rare");
  visit("min-frequency", o.options.min_frequency, "stop when no pair of symbols has this frequency");
  visit("total-symbols", o.options.total_symbols,
        "subtract the number of distinct characters from --symbols, which is then about the size of the vocabulary");
  visit("num-workers", o.workers, kBpeWorkersHelp);
  visit("verbose", o.options.verbose, "report every merge");
}

struct LearnCommand {
  std::string input = "-";
  std::string output = "-";
  Learning learning;
  bool dict_input = false;
};
void describe(LearnCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "text to learn from (.gz too), or - for standard input");
  visit("output", o.output, "file for the codes, or - for standard output");
  describe(o.learning, visit);
  visit("byte", o.learning.options.bytes, "begin with bytes as symbols instead of characters");
  visit("dict-input", o.dict_input, "the input is a dictionary: lines of a word, a space and its count");
}
const config::CommandHelp kLearnHelp{
    .usage = "heed bpe learn [--input FILE] [--output FILE] [--symbols N] [options]",
    .summary =
        R"(Learns byte-pair encoding: at first each character is a symbol. heed merges the most frequent pair of
neighboring symbols into a new symbol, and repeats this. The codes are the list of these merges.)",
    .examples = R"(  heed bpe learn --symbols 10000 < train.de > codes
  cat train.en train.de | heed bpe learn -s 32000 -o codes)",
};

struct JointCommand {
  std::vector<std::string> input;
  std::string output;
  std::vector<std::string> write_vocabulary;
  Learning learning;
  std::string separator = "@@";
};
void describe(JointCommand& o, OptionVisitor& visit) {
  visit("input", o.input, "texts to learn from (.gz too), one for each language");
  visit("output", o.output, "file for the codes");
  visit("write-vocabulary", o.write_vocabulary,
        "files for the vocabularies of the segmented texts, one for each input");
  describe(o.learning, visit);
  visit("separator", o.separator, "ends each unit that the next one continues");
}
const config::CommandHelp kJointHelp{
    .usage = "heed bpe learn-joint --input FILE... --output FILE --write-vocabulary FILE... [options]",
    .summary = R"(Learns joint codes from the texts of several languages, segments each text with them and writes its
vocabulary, for heed bpe apply --vocabulary.)",
    .examples = R"(  heed bpe learn-joint --input train.en train.de --symbols 10000 --output codes \
    --write-vocabulary vocabulary.en vocabulary.de)",
};

/// Throws ConfigError if a text cannot be read twice.
void require_files(const JointCommand& o) {
  for (const std::string& input : o.input) {
    if (!is_stream(input)) continue;
    throw ConfigError("--input", fmt::format("must name files, which are read twice, but {} is a stream",
                                             input == "-" ? "standard input" : "`" + input + "`"));
  }
}

/// Throws ConfigError if an output would replace a text or another output.
void require_other_files(const JointCommand& o) {
  require_other_than_inputs("--output", o.output, o.input);
  for (size_t i = 0; i < o.write_vocabulary.size(); ++i) {
    const std::string& vocabulary = o.write_vocabulary[i];
    require_other_than_inputs("--write-vocabulary", vocabulary, o.input);
    require_two_outputs("--write-vocabulary", vocabulary, "--output", o.output);
    for (size_t j = 0; j < i; ++j) {
      require_two_outputs("--write-vocabulary", vocabulary, "--write-vocabulary", o.write_vocabulary[j]);
    }
  }
}

/// Shows progress unless every merge is reported.
text::BpeCodes learn_merges(const text::WordCounts& words, const text::LearnBpeOptions& options,
                            const std::string& output) {
  if (options.verbose) return text::learn_bpe(words, options, report);
  Progress progress(output);
  const auto note = [&](const std::string& line) {
    progress.end_line();
    report(line);
  };
  return text::learn_bpe(words, options, note,
                         [&](int64_t merges, int64_t limit) { progress.lines("merges", merges, limit); });
}

/// Counts the subword units of a text.
text::WordCounts count_units(const std::string& input, const text::BpeSegmenter& segmenter,
                             std::optional<int64_t> workers) {
  text::WordCounts units;
  // subword-nmt segments lines that end only in LF or CR, but counts the result with all kinds of line ends.
  text::segment_text(input, LineEnds::Universal, segmenter, bpe_threads(workers), [&](std::string_view text) {
    units.add_block(text, bpe_lines_shared(workers) ? LineEnds::Universal : LineEnds::Unicode);
  });
  return units;
}

int learn(const LearnCommand& o, const config::Arguments&) {
  reserve_pages();
  require_other_than_inputs("--output", o.output, std::array{o.input});
  Output output(o.output);
  const LineEnds ends = o.learning.options.bytes ? LineEnds::Bytes : LineEnds::Unicode;
  const text::WordCounts words =
      o.dict_input
          ? text::read_dictionary(o.input, ends)
          : text::count_words(o.input, o.learning.options.bytes ? ends : bpe_line_ends(o.input, o.learning.workers),
                              bpe_threads(o.learning.workers));
  output.write(text::format_codes(learn_merges(words, o.learning.options, o.output)));
  output.finish();
  return 0;
}

int learn_joint(const JointCommand& o, const config::Arguments&) {
  reserve_pages();
  require_option(!o.input.empty(), "input", "name the texts to learn from");
  require_option(!o.output.empty(), "output", "name the file for the codes");
  if (o.write_vocabulary.size() != o.input.size()) {
    throw ConfigError("--write-vocabulary", fmt::format("must name one file for each input, {} for {} is not",
                                                        o.write_vocabulary.size(), o.input.size()));
  }
  require_files(o);
  require_other_files(o);
  Output codes_file(o.output);
  std::vector<Output> vocabulary_files;
  for (const std::string& path : o.write_vocabulary) vocabulary_files.emplace_back(path);
  text::WordCounts words;
  for (const std::string& path : o.input) {
    words.add(text::count_words(path, bpe_line_ends(path, o.learning.workers), bpe_threads(o.learning.workers)));
  }
  const text::BpeCodes codes = learn_merges(words, o.learning.options, o.output);
  codes_file.write(text::format_codes(codes));
  const text::BpeSegmenter segmenter(codes, {.separator = o.separator});
  for (size_t i = 0; i < o.input.size(); ++i) {
    vocabulary_files[i].write(text::format_dictionary(count_units(o.input[i], segmenter, o.learning.workers)));
  }
  std::vector<Output*> outputs{&codes_file};
  for (Output& file : vocabulary_files) outputs.push_back(&file);
  finish_all(outputs);
  return 0;
}

}  // namespace

config::Command bpe_learn_command() {
  return with_options<LearnCommand>({.name = "learn",
                                     .summary = "text -> codes: the list of merges",
                                     .other_name = "learn-bpe",
                                     .help = kLearnHelp,
                                     .letters = {{'i', "input"},
                                                 {'o', "output"},
                                                 {'s', "symbols"},
                                                 {'b', "byte"},
                                                 {'t', "total-symbols"},
                                                 {'v', "verbose"}}},
                                    learn);
}

config::Command bpe_learn_joint_command() {
  return with_options<JointCommand>(
      {.name = "learn-joint",
       .summary = "texts of several languages -> common codes, a vocabulary for each",
       .other_name = "learn-joint-bpe-and-vocab",
       .help = kJointHelp,
       .letters = {{'i', "input"}, {'o', "output"}, {'s', "symbols"}, {'t', "total-symbols"}, {'v', "verbose"}}},
      learn_joint);
}

}  // namespace heed::apps
