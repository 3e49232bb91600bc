// Constraints on translations: required terms, forbidden phrases, and prefixes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/search/sentence_constraints.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/term_list.h"

namespace heed::translation {

struct TermOptions {
  bool fold_case = false;  ///< whether terms match regardless of case
  bool strict = false;     ///< whether a target outside the vocabulary is an error
};

class TranslationConstraints {
 public:
  /// target: the tokenizer of translations.
  explicit TranslationConstraints(std::shared_ptr<const text::Tokenizer> target) : target_(std::move(target)) {}

  /// Reads lines SOURCE TAB TARGET; skips blank lines. Several lines with the same source give alternative
  /// translations. A target that the vocabulary cannot spell is skipped with a warning, or is an error. Throws
  /// InputError with the line number; FileError.
  void read_terms(const std::string& path, const TermOptions& options = {});
  /// Adds one term. Returns false if the vocabulary cannot spell the target: the term is left out.
  bool add_term(std::string_view source, const std::string& target);
  /// Reads one phrase per line; skips blank lines. Throws FileError, InputError.
  void read_forbidden(const std::string& path);

  /// Every translation begins with this tag, which selects the target language of a multilingual model. It is not part
  /// of the text. Throws ConfigError if the vocabulary cannot spell it.
  void tag(const std::string& text);

  /// The constraints on a line's translation, which begins with `prefix`; null: none.
  std::shared_ptr<const search::SentenceConstraints> of_line(std::string_view line, std::string_view prefix) const {
    return of_part(line, prefix, forbidden_in({&line, 1}, prefix));
  }
  /// The phrases that the translation of a line must not contain. Phrases in its prefix or in the terms of its parts
  /// are exempt. Null: none.
  std::shared_ptr<const search::ForbiddenPhrases> forbidden_in(std::span<const std::string_view> parts,
                                                               std::string_view prefix) const;
  /// The constraints on a part of a line. forbidden: the result of forbidden_in() for the line. tokenizer: the
  /// source's; it finds the source tokens of each term. Null: the source tokens are unknown.
  std::shared_ptr<const search::SentenceConstraints> of_part(std::string_view source, std::string_view prefix,
                                                             std::shared_ptr<const search::ForbiddenPhrases> forbidden,
                                                             const text::Tokenizer* tokenizer = nullptr) const;

 private:
  const std::shared_ptr<const text::TokenTexts>& token_texts();
  bool can_spell(std::string_view text) const;
  search::RequiredPhrase any_of(const std::vector<std::string>& targets) const;
  std::vector<search::RequiredPhrase> required_in(std::string_view source, const text::Tokenizer* tokenizer) const;

  std::shared_ptr<const text::Tokenizer> target_;
  std::shared_ptr<const text::TokenTexts> token_texts_;  // null until terms or forbidden phrases need them
  text::Ids tag_;
  TermList terms_;
  std::shared_ptr<const search::ForbiddenPhrases> forbidden_;  // null: none
};

/// The tokenizations of a phrase: at the beginning of a line, and after another word. A phrase that begins with a
/// script without spaces between words also gets one without a space before it.
search::RequiredPhrase required_phrase(const text::Tokenizer& tokenizer, std::string_view phrase);

}  // namespace heed::translation
