#include "heed/text/tokenizer_options.h"

#include <set>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/unicode.h"
#include "heed/text/vocabulary.h"

namespace heed::text {
namespace {

void validate_size(const VocabularySize& size, bool joint) {
  if (!joint) return;
  if (size.source_vocab_size) throw ConfigError("text.source-vocab-size", "applies only with `text.joint` = false");
  if (size.target_vocab_size) throw ConfigError("text.target-vocab-size", "applies only with `text.joint` = false");
}

void validate_subwords(const SubwordOptions& options, bool joint) {
  validate_size(options.size, joint);
  std::set<std::string> seen;
  for (const std::string& symbol : options.user_symbols) {
    const auto words = split_whitespace(symbol);
    if (words.size() != 1 || words[0] != symbol) {
      throw ConfigError("text.user-symbols", fmt::format("must be texts without white space, found '{}'", symbol));
    }
    if (is_special(symbol)) {
      throw ConfigError("text.user-symbols", fmt::format("must not name a special entry, found '{}'", symbol));
    }
    if (!seen.insert(symbol).second) throw ConfigError("text.user-symbols", fmt::format("names '{}' twice", symbol));
  }
}

void validate_type(const UnigramOptions& o, bool joint) { validate_subwords(o.subwords, joint); }
void validate_type(const BpeOptions& o, bool joint) { validate_subwords(o.subwords, joint); }
void validate_type(const WordsOptions& o, bool joint) { validate_size(o.size, joint); }
void validate_type(const CharactersOptions& o, bool joint) { validate_size(o.size, joint); }
void validate_type(const PretokenizedOptions& o, bool) {
  if (o.separator && (o.separator->empty() || split_whitespace(*o.separator) != std::vector<std::string_view>{*o.separator})) {
    throw ConfigError("text.separator", fmt::format("must be a text without white space, found '{}'", *o.separator));
  }
}

}  // namespace

void validate(const TokenizerOptions& options) {
  std::visit([&](const auto& type) { validate_type(type, options.joint); }, options.type);
}

}  // namespace heed::text
