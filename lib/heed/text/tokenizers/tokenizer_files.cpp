#include "heed/text/tokenizers/tokenizer_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/regular_file.h"
#include "heed/text/bpe/bpe_tokenizer.h"
#include "heed/text/character_tokenizer.h"
#include "heed/text/placeholders.h"
#include "heed/text/sentencepiece/piece_table_tokenizer.h"
#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"
#include "heed/text/targets/labels.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/word_tokenizer.h"

namespace heed::text {
namespace {

namespace fs = std::filesystem;

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

TokenizerPointer open_sentence_pieces(const std::string& path, const std::string& content) {
  return std::make_shared<SentencePieceTokenizer>(path, content);
}
TokenizerPointer open_words(const std::string& path, const std::string& content) {
  return WordTokenizer::parse(WordTokenizer::kWordsEnding, path, content);
}
TokenizerPointer open_tokens(const std::string& path, const std::string& content) {
  return WordTokenizer::parse(WordTokenizer::kTokensEnding, path, content);
}
template <class Kind>
TokenizerPointer open_as(const std::string& path, const std::string& content) {
  return Kind::parse(path, content);
}

/// The kinds of tokenizers and their file endings.
struct FileKind {
  std::string_view ending;
  TokenizerPointer (*open)(const std::string& path, const std::string& content);
};
constexpr auto kKinds = std::to_array<FileKind>({
    {SentencePieceTokenizer::kEnding, open_sentence_pieces},
    {PieceTableTokenizer::kEnding, open_as<PieceTableTokenizer>},
    {BpeTokenizer::kEnding, open_as<BpeTokenizer>},
    {WordTokenizer::kWordsEnding, open_words},
    {CharacterTokenizer::kEnding, open_as<CharacterTokenizer>},
    {WordTokenizer::kTokensEnding, open_tokens},
    {LabelTokenizer::kEnding, open_as<LabelTokenizer>},
    {NumberTokenizer::kEnding, open_as<NumberTokenizer>},
});
constexpr std::string_view kSentencePiecesEnding = "model";  // written by SentencePiece's programs

/// Lists the endings, such as "spm, .codes, .words" with the separator ", .".
std::string endings(std::string_view between) {
  std::string text;
  for (const FileKind& kind : kKinds) text.append(text.empty() ? "" : between).append(kind.ending);
  return text;
}

/// The file of one side; empty if it does not exist.
std::string file_of(const std::string& directory, std::string_view side) {
  for (const FileKind& kind : kKinds) {
    const std::string path = fs::path(directory) / fmt::format("{}.{}", side, kind.ending);
    if (path_exists(path)) return path;
  }
  return {};
}

void save(const Tokenizer* tokenizer, const std::string& directory, std::string_view side) {
  if (tokenizer == nullptr) return;
  const fs::path path = fs::path(directory) / fmt::format("{}.{}", side, tokenizer->file_ending());
  write_file(path.string(), tokenizer->serialized());
}

std::shared_ptr<const Tokenizer> sampling(const std::shared_ptr<const Tokenizer>& tokenizer, const NoSampling&) {
  return tokenizer;
}
template <class Sampling>
std::shared_ptr<const Tokenizer> sampling(const std::shared_ptr<const Tokenizer>& tokenizer, const Sampling& options) {
  const auto* subwords = dynamic_cast<const SentencePieceTokenizer*>(tokenizer.get());
  if (subwords == nullptr) throw ConfigError("text.sampling", "needs a unigram tokenizer");
  return subwords->with(options);
}

std::shared_ptr<const Tokenizer> with_dropout(const std::shared_ptr<const Tokenizer>& tokenizer, double dropout) {
  const auto* units = dynamic_cast<const BpeTokenizer*>(tokenizer.get());
  if (units == nullptr) throw ConfigError("text.dropout", "needs a tokenizer of byte-pair encoding");
  return units->with_dropout(dropout);
}

}  // namespace

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  const std::string_view ending = extension.empty() ? std::string_view() : std::string_view(extension).substr(1);
  if (ending == kSentencePiecesEnding) return open_sentence_pieces(path, read_regular_file(path));
  const auto kind = std::ranges::find(kKinds, ending, &FileKind::ending);
  if (kind != kKinds.end()) return kind->open(path, read_regular_file(path));
  throw InputError(
      path, 0,
      fmt::format("expected a tokenizer file, which ends in .{} or .{}", endings(", ."), kSentencePiecesEnding));
}

void save_tokenizers(const Tokenizers& tokenizers, const std::string& directory) {
  save(tokenizers.source.get(), directory, "source");
  save(tokenizers.target.get(), directory, "target");
  if (tokenizers.placeholders) write_file(directory + '/' + Placeholders::kFile, tokenizers.placeholders->serialized());
}

Tokenizers load_tokenizers(const std::string& directory) {
  const std::string source = file_of(directory, "source");
  const std::string target = file_of(directory, "target");
  if (target.empty()) {
    throw CheckpointError(directory, fmt::format("has no target tokenizer (target.{})", endings(", target.")));
  }
  Tokenizers loaded{.source = nullptr, .target = load_tokenizer(target)};
  const std::string placeholders = directory + '/' + Placeholders::kFile;
  if (fs::exists(placeholders)) {
    loaded.placeholders = Placeholders::parse(placeholders, read_regular_file(placeholders));
  }
  if (source.empty()) return loaded;
  loaded.source = load_tokenizer(source);
  if (loaded.source->file_ending() == loaded.target->file_ending() &&
      loaded.source->serialized() == loaded.target->serialized()) {
    loaded.source = loaded.target;
  }
  return loaded;
}

Tokenizers with_sampling(const Tokenizers& tokenizers, const UnigramSampling& options, double dropout) {
  const auto sampler = [&](const std::shared_ptr<const Tokenizer>& tokenizer) {
    if (tokenizer == nullptr || !std::holds_alternative<Ids>(tokenizer->target_type())) return tokenizer;
    const auto drawn = std::visit([&](const auto& how) { return sampling(tokenizer, how); }, options);
    return dropout > 0 ? with_dropout(drawn, dropout) : drawn;
  };
  Tokenizers sampled{.source = nullptr, .target = sampler(tokenizers.target), .placeholders = tokenizers.placeholders};
  sampled.source = tokenizers.source == tokenizers.target ? sampled.target : sampler(tokenizers.source);
  return sampled;
}

Tokenizers with_sampling(const Tokenizers& tokenizers, const TokenizerOptions& options) {
  const auto* unigram = std::get_if<UnigramOptions>(&options.type);
  const auto* bpe = std::get_if<BpeOptions>(&options.type);
  return with_sampling(tokenizers, unigram == nullptr ? UnigramSampling() : unigram->sampling,
                       bpe == nullptr ? 0 : bpe->dropout);
}

}  // namespace heed::text
