// The constraints on the translation of one sentence.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heed/search/forbidden_phrases.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

/// A range of source tokens, [begin, end). Empty: unknown.
struct SourceSpan {
  size_t begin = 0, end = 0;
  bool operator==(const SourceSpan&) const = default;
};

/// A phrase that a translation must contain. Its tokens may depend on the text before it: SentencePiece without a dummy
/// prefix writes "Haus" at the beginning of a line and "▁Haus" after another word.
struct RequiredPhrase {
  std::vector<text::Ids> forms;  ///< alternative tokenizations of the phrase; at least one, none empty
  SourceSpan source = {};        ///< the source tokens that it translates

  RequiredPhrase(std::vector<text::Ids> ways) : forms(std::move(ways)) {}  // NOLINT(google-explicit-constructor)
  RequiredPhrase(std::initializer_list<int32_t> ids) : forms{text::Ids(ids)} {}
  bool operator==(const RequiredPhrase&) const = default;

  /// The number of tokens of the longest form.
  size_t longest() const { return std::ranges::max(forms, {}, &text::Ids::size).size(); }
};

struct SentenceConstraints {
  text::Ids prefix = {};                      ///< the first tokens of the translation
  bool prompt = false;                        ///< whether the prefix is a prompt: it is given, not translated, so it
                                              ///< has no log-probability, and lengths are without it
  size_t tag = 0;                             ///< the number of leading prefix tokens that only select the target
                                              ///< language
  std::vector<RequiredPhrase> required = {};  ///< phrases that it must contain, each as often as it is listed
  bool enforced = true;       ///< false: the search ignores required phrases, but hypotheses still report their
                              ///< log-probabilities
  int64_t scored_length = 0;  ///< a longer translation, end-of-sentence included, gains no score by its length; 0: it
                              ///< may
  std::shared_ptr<const ForbiddenPhrases> forbidden = {};    ///< phrases that it must not contain; null: none
  ForbiddenPhrases::State before = {};                       ///< the state after the text that precedes it on its line
  std::shared_ptr<const text::TokenTexts> token_texts = {};  ///< for the word boundaries at which required phrases
                                                             ///< begin and end; null: each token is a word

  /// Whether the search enforces required phrases.
  bool enforces_phrases() const { return enforced && !required.empty(); }
  /// The tokens of a hypothesis without the target-language tag.
  std::span<const int32_t> text_of(std::span<const int32_t> hypothesis) const {
    return hypothesis.subspan(std::min(tag, hypothesis.size()));
  }
  /// The tokens of the shortest translation that meets all constraints, if no phrases overlap. Includes a token that
  /// ends a word before a required phrase.
  int64_t tokens() const {
    size_t sum = prefix.size() + (token_texts && !required.empty() ? 1 : 0);
    for (const RequiredPhrase& phrase : required) sum += phrase.longest();
    return static_cast<int64_t>(sum);
  }
};

}  // namespace heed::search
