#include "heed/metrics/tokenizers/tokenizers.h"

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/metrics/tokenizers/model_tokenizers.h"
#include "heed/metrics/tokenizers/mteval_tokenizers.h"

namespace heed::metrics {
namespace {

std::unique_ptr<const TextTokenizer> make_rules(BleuTokenizer kind) {
  switch (kind) {
    case BleuTokenizer::V13a:
      return std::make_unique<Tokenizer13a>();
    case BleuTokenizer::Intl:
      return std::make_unique<InternationalTokenizer>();
    case BleuTokenizer::Zh:
      return std::make_unique<ChineseTokenizer>();
    case BleuTokenizer::Char:
      return std::make_unique<CharacterTokenizer>();
    case BleuTokenizer::None:
      return std::make_unique<NoTokenizer>();
    default:
      return nullptr;
  }
}

}  // namespace

std::unique_ptr<const TextTokenizer> make_tokenizer(BleuTokenizer kind, const std::optional<std::string>& model) {
  const std::string_view name = enum_name(kind);
  if (auto rules = make_rules(kind)) {
    if (!model) return rules;
    throw ConfigError("tokenizer-model", fmt::format("has no effect on the tokenizer {}", name));
  }
  if (kind == BleuTokenizer::JaMecab) return make_japanese_mecab(model);
  if (kind == BleuTokenizer::KoMecab) return make_korean_mecab(model);
  if (!model) {
    throw ConfigError("tokenize",
                      fmt::format("{} needs its SentencePiece model: name the file with `tokenizer-model`", name));
  }
  return make_sentence_piece(*model, std::string(kind == BleuTokenizer::Spm ? "flores101" : name));
}

}  // namespace heed::metrics
