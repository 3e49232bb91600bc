#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/safetensors.h"
#include "heed/core/log.h"
#include "heed/model_directory/manifest.h"
#include "heed/model_directory/published.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed/vectors/negative_sampling.h"
#include "heed/vectors/word_vectors.h"
#include "output.h"
#include "progress.h"

namespace heed::apps {
namespace {

using vectors::WordVectors;

const config::CommandHelp kEmbeddingsHelp{
    .usage = "heed embeddings COMMAND [options]",
    .summary =
        "Word vectors: learned from plain text, searched for similar words, used as initial embeddings of a model.",
    .closing = R"(heed embeddings COMMAND --help explains a command.

First steps:
  heed embeddings train --input train.en --output en.vec --width 256
  heed embeddings nearest --vectors en.vec dog street
  heed train ... --arch.d-model 256 --text.type words --vectors.source en.vec
  heed embeddings nearest --model models/en-de --side target Hund)"};

struct TrainVectors {
  std::vector<std::string> input;
  std::string output = "-";
  vectors::VectorFormat format = vectors::VectorFormat::Word2vec;
  int64_t min_count = 2;
  vectors::NegativeSamplingOptions training;
};
void describe(TrainVectors& o, OptionVisitor& visit) {
  visit("input", o.input, "text, words separated by spaces (.gz too; several files), or - for standard input");
  visit("output", o.output, "file for the vectors, or - for standard output");
  visit("format", o.format, "word2vec's file begins with a line of the two sizes, glove's does not");
  visit("min-count", o.min_count, "words that occur less often get no vector", at_least(1));
  describe(o.training, visit);
}
const config::CommandHelp kTrainVectorsHelp{
    .usage = "heed embeddings train --input FILE [--output FILE] [options]",
    .summary =
        "Learns a vector for each word from the words around it (Mikolov et al. 2013, negative sampling). The\n"
        "text should be split into words like the model's text.",
    .examples = R"(  heed embeddings train --input train.en --output en.vec
  heed embeddings train --input train.en --output en.vec --method cbow --width 256 --epochs 15
  heed embeddings train --input train.en --format glove > en.glove)",
};

int train_vectors(const TrainVectors& o, const config::Arguments&) {
  require_option(!o.input.empty(), "input", "name the text to learn from");
  require_other_than_inputs("--output", o.output, o.input);
  Output output(o.output);
  const vectors::CountedText text = vectors::count_words(o.input, o.min_count);
  fmt::print(stderr, "{} words, {} tokens\n", text.words.size(), text.tokens);
  Progress progress(o.output);
  const WordVectors made = vectors::train_word_vectors(text, o.training, [&](const vectors::VectorProgress& now) {
    progress.show([&] {
      const std::string rest = time_to_go(now.share, progress.seconds());
      return fmt::format("{:.1f}%, loss {:.4f}, {:.0f} tokens/s{}{}", 100 * now.share, now.loss, now.tokens_per_second,
                         rest.empty() ? "" : ", ", rest);
    });
  });
  output.write(vectors::format_word_vectors(made, o.format));
  output.finish();
  return 0;
}

enum class Side { Source, Target };
constexpr auto option_names(Side) {
  return std::array{std::pair{Side::Source, "source"}, std::pair{Side::Target, "target"}};
}

struct NearestCommand {
  std::string vectors;
  std::string model;
  std::optional<Side> side;
  int64_t count = 10;
  bool analogy = false;
};
void describe(NearestCommand& o, OptionVisitor& visit) {
  visit("vectors", o.vectors, "word vectors, word2vec's or GloVe's text format");
  visit("model", o.model, "model directory, whose embeddings are searched");
  visit("side", o.side,
        "with --model: embeddings of the source or of the target; without it "
        "the source's, or the target's of a model without source embeddings");
  visit("count", o.count, "nearest words to print", at_least(1));
  visit("analogy", o.analogy, "three words A B C: what is to C as B is to A");
}
const config::CommandHelp kNearestHelp{
    .usage = "heed embeddings nearest --vectors FILE | --model DIR [options] WORD...",
    .summary =
        "Prints the nearest words of each given word, by the cosine of their vectors: lines of the given word,\n"
        "the found word and the cosine, separated by TABs. In a model with subwords, a word is looked up as\n"
        "the piece `\u2581word` where there is one.",
    .examples = R"(  heed embeddings nearest --vectors en.vec dog street --count 5
  heed embeddings nearest --vectors en.vec --analogy man king woman
  heed embeddings nearest --model models/en-de --side target Hund)",
};

/// The embedding table of one side. If the source shares the target's table, it has no tensor of its own.
WordVectors read_vectors_of_model(const std::string& model, std::optional<Side> asked) {
  checkpoint::verify_finished_model(model);
  const std::string file = model + "/model.safetensors";
  const bool own_source = has_stored_tensor(file, "encoder.embedding.weight");
  const text::Tokenizers tokenizers = text::load_tokenizers(model);
  const Side side = asked.value_or(tokenizers.source ? Side::Source : Side::Target);
  const std::string_view name = enum_name(side);
  const std::string tensor =
      side == Side::Source && own_source ? "encoder.embedding.weight" : "decoder.embedding.weight";
  StoredMatrix matrix = read_stored_matrix(file, tensor);
  const auto& tokenizer = side == Side::Source ? tokenizers.source : tokenizers.target;
  if (!tokenizer) throw ConfigError("--side", fmt::format("must be target: {} is a language model", model));
  constexpr int32_t kFirst = text::kEos + 1;  // the special tokens before it are not words
  if (tokenizer->size() != matrix.rows) {
    throw Error(fmt::format("{}: the tokenizer of the {} is another model's", model, name));
  }
  std::vector<std::string> words;
  for (int32_t id = kFirst; id < tokenizer->size(); ++id) words.push_back(tokenizer->piece(id));
  matrix.values.erase(matrix.values.begin(), matrix.values.begin() + kFirst * matrix.columns);
  return {std::move(words), matrix.columns, std::move(matrix.values)};
}

WordVectors vectors_of_model(const std::string& model, std::optional<Side> asked) {
  return checkpoint::read_consistently(model, [&] { return read_vectors_of_model(model, asked); });
}

/// The index of the word's vector. of_model: the table has subwords. A whole word then starts with SentencePiece's
/// marker; without it, the same characters are the end of a word.
int64_t index_of(const WordVectors& table, const std::string& word, bool of_model) {
  const std::string marked = "\u2581" + word;
  int64_t found = table.find(of_model ? marked : word);
  if (found < 0) found = table.find(of_model ? word : marked);
  if (found < 0) throw Error(fmt::format("`{}` has no vector", word));
  const auto vector = table.vector(found);
  if (std::ranges::all_of(vector, [](float value) { return value == 0; })) {
    throw Error(fmt::format("`{}` has a vector of zeros, which no other is near to", word));
  }
  return found;
}

void print_neighbors(const std::string& asked, const std::vector<vectors::Neighbor>& neighbors) {
  if (neighbors.empty()) {
    log_warning(fmt::format("`{}` has no neighbors: no other word has a vector but of zeros", asked));
  }
  for (const auto& [word, cosine] : neighbors) print(fmt::format("{}\t{}\t{:.4f}\n", asked, word, cosine));
}

int find_nearest(const NearestCommand& o, const config::Arguments& given) {
  const auto& words = given.positionals;
  if (o.vectors.empty() && o.model.empty()) throw ConfigError("one of `--vectors` and `--model` must be given");
  if (words.empty()) throw ConfigError("name a word whose neighbors are wanted");
  if (o.analogy && words.size() != 3) throw ConfigError("--analogy", "needs three words: what is to C as B is to A");
  const WordVectors table = o.model.empty() ? vectors::read_word_vectors(o.vectors) : vectors_of_model(o.model, o.side);
  std::vector<int64_t> indices;
  for (const std::string& word : words) indices.push_back(index_of(table, word, !o.model.empty()));
  if (o.analogy) {
    const auto query = vectors::analogy(table, indices[0], indices[1], indices[2]);
    print_neighbors(words[2], vectors::nearest(table, query, o.count, indices));
    return 0;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    print_neighbors(words[i], vectors::nearest(table, table.vector(indices[i]), o.count, {indices[i]}));
  }
  return 0;
}

}  // namespace

config::Command embeddings_command() {
  return {
      .name = "embeddings",
      .help = kEmbeddingsHelp,
      .parts = {
          with_options<TrainVectors>({.name = "train",
                                      .summary = "one side's text -> a vector for each word (cbow or skip-gram)",
                                      .help = kTrainVectorsHelp},
                                     train_vectors),
          with_options<NearestCommand>({.name = "nearest",
                                        .summary = "words with similar vectors, of a vector file or of a trained model",
                                        .help = kNearestHelp,
                                        .positionals = config::Positionals::Allowed,
                                        .exclusive = {{"vectors", "model"}},
                                        .needs = {{"side", "model"}}},
                                       find_nearest)}};
}

}  // namespace heed::apps
