#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/one_line.h"
#include "heed/core/text/unicode.h"
#include "heed/text/sentencepiece/sentence_piece_model.h"
#include "output.h"

namespace heed::apps {
namespace {

using text::PieceFormat;

const config::CommandHelp kSpmHelp{
    .usage = "heed spm COMMAND [options]",
    .summary = "SentencePiece (Kudo and Richardson 2018): subword units of text as it is written, spaces included.",
    .closing = R"(heed spm COMMAND --help explains a command.

First steps:
  heed spm train --input=train.de --model_prefix=de --vocab_size=8000
  heed spm encode --model de.model < test.de > test.spm.de
  heed spm decode --model de.model < test.spm.de

`heed train` learns such models (--text.type unigram or sentencepiece-bpe), or uses existing ones
(--text.tokenizers given --text.source-tokenizer de.model).)"};

constexpr std::string_view kSpmTrainHelp =
    R"(usage: heed spm train --input=FILE[,FILE...] --model_prefix=NAME [--OPTION=VALUE]...

Trains a SentencePiece model: NAME.model and the list of its pieces, NAME.vocab, of text that is not packed (- is
standard input). The options are those of SentencePiece's own spm_train and go to the library as they are; dashes
in their names count as underscores. The ones used most:
  --vocab_size=8000               pieces, the special ones included
  --model_type=unigram            or bpe, char, word
  --character_coverage=0.9995     share of the text's characters that get a piece; 1.0 for small alphabets
  --normalization_rule_name=nmt_nfkc    or nfkc, nmt_nfkc_cf, nfkc_cf, identity
  --byte_fallback=true            characters without a piece become bytes
  --user_defined_symbols=<a>,<b>  texts that are never split
  --pad_id=0 --unk_id=1 --bos_id=2 --eos_id=3    the ids that heed's own models have
)";

/// Parses `--name=value`, `--name value` and `--flag`.
std::map<std::string, std::string> training_options(CommandArguments arguments) {
  std::map<std::string, std::string> options{{"minloglevel", "1"}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      throw ConfigError(fmt::format("`{0}` has no option name: write `--NAME={0}`", argument));
    }
    const size_t equals = argument.find('=');
    std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    std::ranges::replace(name, '-', '_');
    std::string value = "true";
    if (equals != std::string::npos)
      value = argument.substr(equals + 1);
    else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--"))
      value = arguments[++i];
    options[name] = value;
  }
  return options;
}

/// The files of `--input`, which are separated by commas.
std::vector<std::string> training_files(std::string_view inputs) {
  std::vector<std::string> files;
  while (!inputs.empty()) {
    files.emplace_back(inputs.substr(0, inputs.find(',')));
    inputs.remove_prefix(std::min(inputs.size(), files.back().size() + 1));
    if (files.back() == "-") files.back() = "/dev/stdin";
  }
  return files;
}

/// Whether a file contains more than white space. Throws FileError, and InputError for a compressed file.
bool has_text(const std::string& path) {
  if (UnpackedFile(path, path).packed()) {
    throw InputError(
        path, 0, fmt::format("is compressed, which SentencePiece cannot read; give `--input=<(gzip -dc {})`", path));
  }
  LineReader reader(path, InvalidText::Keep);
  for (std::string line; reader.next(line);) {
    if (!strip(line).empty()) return true;
  }
  return false;
}

/// Throws FileError if SentencePiece could not read a file, InputError if there is no text, and ConfigError if a model
/// would replace an input.
void check_training_files(const std::vector<std::string>& inputs, const std::string& prefix) {
  for (const std::string_view ending : {".model", ".vocab"}) {
    require_other_than_inputs("--model_prefix", prefix + std::string(ending), inputs);
  }
  const auto any_text = [](const std::string& path) { return is_stream(path) || has_text(path); };
  // Checks every file, so that a missing one is found.
  if (std::ranges::count_if(inputs, any_text) == 0) throw InputError("no text to learn from: the input has no words");
}

int train_pieces(CommandArguments arguments) {
  if (std::ranges::any_of(arguments, [](const std::string& word) {
        return word == "--help" || word == "-h" || word == "--help-all";
      })) {
    print(kSpmTrainHelp);
    return 0;
  }
  auto options = training_options(arguments);
  require_option(options.contains("input"), "input", "name the text to learn from");
  require_option(!options["model_prefix"].empty(), "model_prefix", "name the model's files, without their ending");
  const std::vector<std::string> inputs = training_files(options.at("input"));
  const std::string prefix = options.extract("model_prefix").mapped();
  check_training_files(inputs, prefix);
  options["input"] = fmt::format("{}", fmt::join(inputs, ","));
  Output model(prefix + ".model"), vocabulary(prefix + ".vocab");
  const text::TrainedPieces trained = text::train_sentence_pieces(options);
  model.write(trained.model);
  vocabulary.write(trained.vocabulary);
  finish_all(std::array{&model, &vocabulary});
  return 0;
}

struct LinesCommand {
  std::string model;
  std::string input = "-";
  std::string output = "-";
  PieceFormat format = PieceFormat::Piece;
};

struct EncodeCommand {
  LinesCommand lines;
  std::optional<int64_t> nbest;
  std::optional<double> alpha;
  int64_t seed = 1;
  std::string extra_options;
};
void describe(EncodeCommand& o, OptionVisitor& visit) {
  visit("model", o.lines.model, "SentencePiece model");
  visit("input", o.lines.input, "text (.gz too), or - for standard input");
  visit("output", o.lines.output, "file for the result, or - for standard output");
  visit("output-format", o.lines.format, "form of the output");
  visit("nbest", o.nbest,
        "sample each line's segmentation from this many best "
        "ones; -1: from all; a BPE model always samples from all",
        between(-1, 512));
  visit("alpha", o.alpha,
        "of the sampling: sharpness for a unigram model (0 is uniform), "
        "BPE-dropout probability for a BPE model; 0.1 with --nbest",
        at_least(0));
  visit("seed", o.seed, "seed of the sampling", between(0, 4294967294));
  visit("extra-options", o.extra_options, "bos, eos, reverse, unk joined by colons, as in spm_encode");
}
const config::CommandHelp kEncodeHelp{
    .usage = "heed spm encode --model FILE [--input FILE] [--output FILE] [options]",
    .summary = "Splits each line into the pieces of a SentencePiece model, separated by spaces.",
    .examples = R"(  heed spm encode --model de.model < test.de
  heed spm encode --model de.model --output-format id < test.de
  heed spm encode --model de.model --nbest -1 --alpha 0.1 --seed 7 < train.de    # other pieces at each seed)",
};

struct DecodeCommand {
  LinesCommand lines;
};
void describe(DecodeCommand& o, OptionVisitor& visit) {
  visit("model", o.lines.model, "SentencePiece model");
  visit("input", o.lines.input, "pieces or ids with spaces between them (.gz too), or - for standard input");
  visit("output", o.lines.output, "file for the text, or - for standard output");
  visit("input-format", o.lines.format, "form of the input");
}
const config::CommandHelp kDecodeHelp{
    .usage = "heed spm decode --model FILE [--input FILE] [--output FILE] [--input-format piece|id]",
    .summary = "Joins the pieces or ids of each line into text.",
    .examples = "  heed spm decode --model de.model < test.spm.de",
};

template <class Convert>
void convert_lines(const LinesCommand& lines, Convert convert) {
  require_other_than_inputs("--output", lines.output, std::array{lines.input, lines.model});
  LineReader reader(lines.input);
  Output output(lines.output);
  for (std::string line; reader.next(line);) {
    try {
      output.write(convert(line) + '\n');
    } catch (const std::invalid_argument&) {
      throw InputError(reader.path(), reader.line_number(), fmt::format("expected ids of the model, found '{}'", line));
    }
  }
  output.finish();
}

int encode(const EncodeCommand& o, const config::Arguments& given) {
  if (!o.nbest && !o.alpha && given.gives("seed")) {
    throw ConfigError("--seed", "has no effect without `--nbest` or `--alpha`");
  }
  require_option(!o.lines.model.empty(), "model", "name the SentencePiece model");
  text::SentencePieceModel model(o.lines.model);
  const bool drawn_from_one = model.draws_from_lists() && (o.nbest == 0 || o.nbest == 1);
  if (drawn_from_one && (o.alpha || given.gives("seed"))) {
    throw ConfigError(
        "--nbest", fmt::format("{} leaves nothing to sample, so that `--alpha` and `--seed` have no effect", *o.nbest));
  }
  if (!o.extra_options.empty()) model.set_extra_options(o.extra_options);
  if (o.nbest || o.alpha) model.sample({.nbest = o.nbest.value_or(-1), .alpha = o.alpha.value_or(0.1), .seed = o.seed});
  convert_lines(o.lines, [&](const std::string& line) { return model.encode(line, o.lines.format); });
  return 0;
}

int decode(const DecodeCommand& o, const config::Arguments&) {
  require_option(!o.lines.model.empty(), "model", "name the SentencePiece model");
  const text::SentencePieceModel model(o.lines.model);
  convert_lines(o.lines, [&](const std::string& line) {
    return on_one_line(model.decode(line, o.lines.format));  // byte pieces can produce line ends
  });
  return 0;
}

}  // namespace

config::Command spm_command() {
  // The options of spm_encode and spm_decode have underscores.
  return {
      .name = "spm",
      .help = kSpmHelp,
      .parts = {{.name = "train", .summary = "text -> a model", .help = config::CommandHelp{}, .run_raw = train_pieces},
                with_options<EncodeCommand>({.name = "encode",
                                             .summary = "text and a model -> pieces or ids, one line for each line",
                                             .help = kEncodeHelp,
                                             .underscores = true},
                                            encode),
                with_options<DecodeCommand>({.name = "decode",
                                             .summary = "pieces or ids and a model -> text, one line for each line",
                                             .help = kDecodeHelp,
                                             .underscores = true},
                                            decode)}};
}

}  // namespace heed::apps
