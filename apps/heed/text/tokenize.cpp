#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/text/sentencepiece/sentence_piece_model.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "output.h"

namespace heed::apps {
namespace {

using text::PieceFormat;

struct TokenizeCommand {
  std::string tokenizer;
  std::string input = "-";
  std::string output = "-";
  PieceFormat format = PieceFormat::Piece;
  bool statistics = false;
};
void describe(TokenizeCommand& o, OptionVisitor& visit) {
  visit("tokenizer", o.tokenizer, "a model's tokenizer: source.* or target.* in its directory");
  visit("input", o.input, "text (.gz too), or - for standard input");
  visit("output", o.output, "file for the result, or - for standard output");
  visit("format", o.format, "form of the output");
  visit("statistics", o.statistics,
        "print counts instead of the tokens: lines, tokens, tokens per line, unknown tokens, vocabulary size");
}

const config::CommandHelp kTokenizeHelp{
    .usage = "heed tokenize --tokenizer FILE [--input FILE] [--output FILE] [options]",
    .summary =
        "Prints the tokens that a model sees: one line of tokens for each line, without begin-of-sentence and end-of-sentence.",
    .examples = R"(  heed tokenize --tokenizer models/en-de/target.spm < test.de
  heed tokenize --tokenizer models/en-de/source.codes --format id < test.en
  heed tokenize --tokenizer models/en-de/target.spm --statistics < test.de)",
};

struct Counts {
  int64_t lines = 0;
  int64_t tokens = 0;
  int64_t unknown = 0;
};

std::string statistics_text(const Counts& counts, const text::Tokenizer& tokenizer) {
  const auto part = [](int64_t count, int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(whole);
  };
  return fmt::format(
      "lines: {}\ntokens: {}\ntokens per line: {:.2f}\nunknown: {}\nunknown percent: {:.3f}\nvocabulary: {}\n",
      counts.lines, counts.tokens, part(counts.tokens, counts.lines), counts.unknown,
      100 * part(counts.unknown, counts.tokens), tokenizer.size());
}

int tokenize(const TokenizeCommand& o, const config::Arguments& given) {
  if (o.statistics && given.gives("format")) throw ConfigError("--format", "has no effect with `--statistics`");
  require_option(!o.tokenizer.empty(), "tokenizer", "name the file, such as models/en-de/source.spm");
  require_other_than_inputs("--output", o.output, std::array{o.input, o.tokenizer});
  const auto tokenizer = text::load_tokenizer(o.tokenizer);
  LineReader reader(o.input);
  Output output(o.output);
  Counts counts;
  for (std::string line; reader.next(line);) {
    const text::Ids ids = tokenizer->encode(line);
    ++counts.lines;
    counts.tokens += static_cast<int64_t>(ids.size());
    for (const int32_t id : ids) counts.unknown += id == text::kUnk ? 1 : 0;
    if (o.statistics) continue;
    std::vector<std::string> tokens;
    for (const int32_t id : ids) {
      tokens.push_back(o.format == PieceFormat::Id ? std::to_string(id) : tokenizer->piece(id));
    }
    output.write(fmt::format("{}\n", fmt::join(tokens, " ")));
  }
  if (o.statistics) output.write(statistics_text(counts, *tokenizer));
  output.finish();
  return 0;
}

}  // namespace

config::Command tokenize_command() {
  return with_options<TokenizeCommand>({.name = "tokenize", .help = kTokenizeHelp}, tokenize);
}

}  // namespace heed::apps
