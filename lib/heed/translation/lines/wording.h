// Constraints on translations: terms that are translated as a list says, phrases that they do not contain, and how each
// begins.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/search/demands.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/term_list.h"

namespace heed::translation {

struct TermOptions {
  bool fold_case = false;  ///< whether a term is found whatever the case of its letters
  bool strict = false;     ///< whether a target that the vocabulary cannot spell is an error
};

class Wording {
 public:
  /// target: the tokenizer of translations.
  explicit Wording(std::shared_ptr<const text::Tokenizer> target) : target_(std::move(target)) {}

  /// Lines of SOURCE TAB TARGET; blank ones are left out. Lines with the same source give several translations to
  /// choose from. A line whose target the vocabulary cannot spell is left out with a warning, or is an error. Throws
  /// InputError with the line; FileError.
  void read_terms(const std::string& path, const TermOptions& options = {});
  /// Lines of a phrase each; blank ones are left out. Throws FileError, InputError.
  void read_forbidden(const std::string& path);

  /// Every translation begins with this, which tells a model of several languages which one to write; it is not part of
  /// the text. Throws ConfigError where the vocabulary cannot spell it.
  void tag(const std::string& text);

  /// The constraints of a line's translation, which begins with `prefix`; null: there are none.
  std::shared_ptr<const search::Demands> demands(std::string_view line, std::string_view prefix) const {
    return demands_of_part(line, prefix, forbidden_in({&line, 1}, prefix));
  }
  /// The phrases that the translation of a line does not contain: all but those that its prefix or the terms of its
  /// parts contain. Null: none.
  std::shared_ptr<const search::ForbiddenPhrases> forbidden_in(std::span<const std::string_view> parts,
                                                               std::string_view prefix) const;
  /// The constraints of a part of a line; `forbidden` is what forbidden_in() returned for the line. tokenizer: the
  /// source's, which tells the tokens that a term is the translation of; null: they are not known.
  std::shared_ptr<const search::Demands> demands_of_part(std::string_view source, std::string_view prefix,
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

/// The ways to write a phrase in a line: as the tokenizer segments it at the begin of a line, and after another word. A
/// phrase that begins with a script without spaces between words is also written without a space before it.
search::RequiredPhrase required_phrase(const text::Tokenizer& tokenizer, std::string_view phrase);

}  // namespace heed::translation
