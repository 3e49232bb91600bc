// How much of the required phrases a translation has, by its tokens so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/demands.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

/// Phrases may overlap; one that is required twice has to be there twice. A phrase begins and ends at word boundaries.
/// When letters follow its last word, it counts as unmet again.
class PhraseProgress {
 public:
  /// Both must outlive it. token_texts: null: each token is a word.
  explicit PhraseProgress(std::span<const RequiredPhrase> required, const text::TokenTexts* token_texts = nullptr);
  /// That of a hypothesis with these tokens.
  PhraseProgress(std::span<const RequiredPhrase> required, std::span<const int32_t> hypothesis,
                 const text::TokenTexts* token_texts = nullptr);

  void advance(int32_t token);

  bool all_met() const;
  /// The tokens of the form in which the hypothesis has a phrase; 0 while it is not met.
  size_t met_length(size_t phrase) const;
  /// Whether letters may still follow the last word of a phrase that is met, and make it unmet again.
  bool any_open() const;
  /// The tokens of the phrases that are met and of the one that is furthest under way: what ranks hypotheses by how
  /// much they have of what is required (Post and Vilar 2018, https://arxiv.org/abs/1804.06609, section 3).
  int64_t tokens_met() const;
  /// The tokens that are missing.
  int64_t tokens_left() const;
  /// Whether there is room for any other token, and for all phrases that are unmet after it.
  bool may_wait(int64_t room) const;
  /// The next tokens of the phrases that are not met, each once, ascending.
  text::Ids next() const;
  /// The tokens of those phrases after which there is room for what is left of them then, each once, ascending.
  text::Ids next_within(int64_t room) const;

 private:
  struct Progress {
    std::vector<size_t> matched;  // of each form: how many of its first tokens the hypothesis ends with
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

/// The mean log-probability of the tokens of each required phrase that a hypothesis has. log_probabilities: one for
/// each token of the hypothesis; further ones are not read.
std::vector<float> required_log_probabilities(const Demands& demands, std::span<const int32_t> hypothesis,
                                              std::span<const float> log_probabilities);

/// How much of what a sentence requires a hypothesis has; its tag is not text.
PhraseProgress phrase_progress(const Demands& demands, std::span<const int32_t> hypothesis);

}  // namespace heed::search
