#include "heed/text/tokenizers/learn_tokenizers.h"

#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/unicode.h"
#include "heed/text/bpe/learn_bpe.h"
#include "heed/text/character_tokenizer.h"
#include "heed/text/sentencepiece/sentence_piece_training.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed/text/vocabulary.h"
#include "heed/text/word_tokenizer.h"

namespace heed::text {
namespace {

enum class Side { Joint, Source, Target, Only };
constexpr std::string_view name(Side side) {
  switch (side) {
    case Side::Joint:
      return "joint";
    case Side::Source:
      return "source";
    case Side::Target:
      return "target";
    case Side::Only:
      return "the";
  }
  return "";
}

int64_t entries_for(Side side, const VocabularySize& size) {
  if (side == Side::Source) return size.source_vocab_size.value_or(size.vocab_size);
  if (side == Side::Target) return size.target_vocab_size.value_or(size.vocab_size);
  return size.vocab_size;
}

std::shared_ptr<const Tokenizer> reported(std::shared_ptr<const Tokenizer> tokenizer, std::string_view kind, Side side,
                                          std::optional<int64_t> wanted) {
  const bool fewer = wanted && tokenizer->size() < *wanted;
  const std::string why = fewer ? fmt::format(", not {}: the training text gives no more", *wanted) : "";
  log_info(fmt::format("{} vocabulary ({}): {} entries{}", name(side), kind, tokenizer->size(), why));
  return tokenizer;
}

std::vector<std::string_view> words(std::string_view line) { return split_whitespace(line); }

/// Counts the entries that `split` returns for each line.
template <class Split>
EntryCounter count(const LineSource& lines, Split split) {
  EntryCounter counter;
  for (std::string line; lines(line);) {
    for (const std::string_view entry : split(line)) counter.add(entry);
  }
  if (counter.distinct() == 0) throw Error("no tokenizer can be learned: the text is blank");
  return counter;
}

/// The most frequent entries. If the size limit leaves entries out, this is not a shortage: only a small text is
/// reported.
std::vector<std::string> kept_entries(const EntryCounter& counter, std::optional<int64_t> size, int64_t minimum_count) {
  const size_t limit = size ? static_cast<size_t>(*size) - kSpecialNames.size() : counter.distinct();
  return counter.most_frequent(limit, minimum_count);
}

/// SentencePiece's name of the model type.
constexpr std::string_view model_type(const UnigramOptions&) { return "unigram"; }
constexpr std::string_view model_type(const SentencePieceBpeOptions&) { return "bpe"; }

template <class Type>
  requires requires(const Type& type) { type.subwords; }
std::shared_ptr<const Tokenizer> learn(const Type& o, LineSource lines, Side side) {
  const int64_t size = entries_for(side, o.subwords.size);
  const Normalizer normalizer = side == Side::Source ? o.subwords.of_source() : o.subwords.of_target();
  return reported(learn_sentence_pieces(model_type(o), o.subwords, normalizer, size, std::move(lines)), Type::kName,
                  side, size);
}
std::shared_ptr<const Tokenizer> learn(const BpeOptions& o, const LineSource& lines, Side side) {
  return reported(learn_bpe_tokenizer(o, side == Side::Target ? 1 : 0, lines), BpeOptions::kName, side, {});
}
std::shared_ptr<const Tokenizer> learn(const WordsOptions& o, const LineSource& lines, Side side) {
  const int64_t size = entries_for(side, o.size);
  auto entries = kept_entries(count(lines, words), size, o.minimum_count);
  return reported(std::make_shared<WordTokenizer>(WordTokenizer::kWordsEnding, std::move(entries)), WordsOptions::kName,
                  side, size);
}
std::shared_ptr<const Tokenizer> learn(const CharactersOptions& o, const LineSource& lines, Side side) {
  auto entries = kept_entries(count(lines, characters), entries_for(side, o.size), o.minimum_count);
  return reported(std::make_shared<CharacterTokenizer>(std::move(entries)), CharactersOptions::kName, side, {});
}
std::shared_ptr<const Tokenizer> learn(const PretokenizedOptions& o, const LineSource& lines, Side side) {
  auto entries = kept_entries(count(lines, words), {}, o.minimum_count);
  return reported(std::make_shared<WordTokenizer>(WordTokenizer::kTokensEnding, std::move(entries), o.separator),
                  PretokenizedOptions::kName, side, {});
}

template <class Type>
Tokenizers learn_joint(const Type& o, LineSource source, LineSource target) {
  if constexpr (requires { o.subwords; }) {
    const int64_t size = entries_for(Side::Joint, o.subwords.size);
    auto learned = learn_joint_sentence_pieces(model_type(o), o.subwords, size, std::move(source), std::move(target));
    reported(learned.target, Type::kName, Side::Joint, size);
    return learned;
  } else {
    const auto learned = learn(o, concatenated(std::move(source), std::move(target)), Side::Joint);
    return {.source = learned, .target = learned};
  }
}

}  // namespace

Tokenizers learn_tokenizers(const TokenizerOptions& options, LineSource source, LineSource target) {
  validate(options);
  check(static_cast<bool>(target), "learn_tokenizers: the target text is required");
  const bool with_source = static_cast<bool>(source);
  const auto learn_side = [&](LineSource lines, Side side) {
    return std::visit([&](const auto& type) { return learn(type, std::move(lines), side); }, options.type);
  };
  Tokenizers learned;
  if (options.joint && with_source) {
    const auto both = [&](const auto& type) { return learn_joint(type, std::move(source), std::move(target)); };
    learned = std::visit(both, options.type);
  } else {
    if (with_source) learned.source = learn_side(std::move(source), Side::Source);
    learned.target = learn_side(std::move(target), options.joint ? Side::Only : Side::Target);
  }
  return with_sampling(learned, options);
}

}  // namespace heed::text
