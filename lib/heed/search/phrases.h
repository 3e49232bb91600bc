// How much of the required phrases a translation contains so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/sentence_constraints.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

/// The state of the required phrases after each token. Phrases may overlap; a phrase that is listed twice must occur
/// twice. A phrase begins and ends at word boundaries. If letters follow its last word, it becomes unmet again.
class PhraseProgress {
 public:
  /// Both must outlive it. token_texts: null if each token is a word.
  explicit PhraseProgress(std::span<const RequiredPhrase> required, const text::TokenTexts* token_texts = nullptr);
  /// The state after the tokens of a hypothesis.
  PhraseProgress(std::span<const RequiredPhrase> required, std::span<const int32_t> hypothesis,
                 const text::TokenTexts* token_texts = nullptr);

  void advance(int32_t token);

  bool all_met() const;
  /// The number of tokens of the form by which a phrase is met; 0: not met.
  size_t met_length(size_t phrase) const;
  /// Whether a phrase is met, but letters may still follow its last word and make it unmet again.
  bool any_open() const;
  /// The tokens of all met phrases and the matched tokens of the most advanced unmet one. Banks are formed by this
  /// number (Post and Vilar 2018, https://arxiv.org/abs/1804.06609, section 3).
  int64_t tokens_met() const;
  /// The number of phrase tokens that are missing.
  int64_t tokens_left() const;
  /// Whether there is room for any other token and, after it, for all unmet phrases.
  bool may_wait(int64_t room) const;
  /// The next tokens of the unmet phrases, without duplicates, ascending.
  text::Ids next() const;
  /// Those tokens of unmet phrases that leave room for the remaining phrase tokens, without duplicates, ascending.
  text::Ids next_within(int64_t room) const;

 private:
  struct Progress {
    std::vector<size_t> matched;  // per form: the number of its first tokens that the hypothesis ends with
    bool met = false;
    bool open = false;  // met, but letters may still follow its last word
  };
  void reset(size_t phrase);
  bool waits_for_its_like(size_t phrase) const;
  bool starts_at_boundary(const text::Ids& form, text::WordClass before) const;
  bool continues_word(int32_t token) const;
  size_t matched_with(const text::Ids& form, size_t matched, int32_t token) const;
  void advance_phrase(size_t phrase, int32_t token);
  void reopen(size_t phrase);
  void match_forms(size_t phrase, int32_t token);
  size_t progress_of(size_t phrase) const;
  bool some_wait_for_word_end() const;

  std::span<const RequiredPhrase> required_;
  const text::TokenTexts* token_texts_;
  std::vector<Progress> progress_;
  text::WordClass last_ = text::WordClass::Space;  // of the last character of the text
};

/// The mean log-probability of the tokens of each required phrase in a hypothesis. log_probabilities: one per token of
/// the hypothesis; further ones are ignored.
std::vector<float> required_log_probabilities(const SentenceConstraints& constraints,
                                              std::span<const int32_t> hypothesis,
                                              std::span<const float> log_probabilities);

/// The state of a sentence's required phrases after a hypothesis, without its target-language tag.
PhraseProgress phrase_progress(const SentenceConstraints& constraints, std::span<const int32_t> hypothesis);

}  // namespace heed::search
