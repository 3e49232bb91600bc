#include "heed/text/tokenizer_options.h"

#include <set>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/unicode.h"
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

void check_separator(const std::string& separator) {
  if (split_whitespace(separator) == std::vector<std::string_view>{separator}) return;
  throw ConfigError("text.separator", fmt::format("must be a text without white space, found '{}'", separator));
}

void validate_type(const UnigramOptions& o, bool joint) { validate_subwords(o.subwords, joint); }
void validate_type(const SentencePieceBpeOptions& o, bool joint) { validate_subwords(o.subwords, joint); }
void validate_type(const BpeOptions& o, bool joint) {
  const auto check_files = [&](const std::string& option, const std::vector<std::string>& files) {
    const size_t most = joint ? 1 : 2;
    if (!joint && files.size() == 1 && is_stream(files[0])) {
      throw ConfigError(option,
                        fmt::format("must name a file, which is read for each side, but `{}` is a stream", files[0]));
    }
    if (files.size() <= most) return;
    throw ConfigError(option, fmt::format("must name {}, found {} files",
                                          joint ? "one file with `text.joint` = true" : "one file or one for each side",
                                          files.size()));
  };
  check_files("text.codes", o.codes);
  check_files("text.vocabulary", o.vocabulary);
  if (!o.codes.empty() && o.merges) throw ConfigError("text.merges", "applies only without `text.codes`");
  if (!o.codes.empty() && o.minimum_frequency) {
    throw ConfigError("text.minimum-frequency", "applies only without `text.codes`");
  }
  check_separator(o.separator);
  for (size_t i = 0; i < o.glossaries.size(); ++i) {
    if (o.glossaries[i].find('\n') == std::string::npos) continue;
    throw ConfigError("text.glossaries", fmt::format("must have no line end, but glossary {} has one", i + 1));
  }
}
void validate_type(const WordsOptions& o, bool joint) { validate_size(o.size, joint); }
void validate_type(const CharactersOptions& o, bool joint) { validate_size(o.size, joint); }
void validate_type(const PretokenizedOptions& o, bool) {
  if (o.separator) check_separator(*o.separator);
}

}  // namespace

void validate(const TokenizerOptions& options) {
  const auto validate_held = [&](const auto& type) {
    if constexpr (requires { validate_type(type, options.joint); }) validate_type(type, options.joint);
  };
  std::visit(validate_held, options.type);
}

}  // namespace heed::text
