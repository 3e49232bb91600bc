// Phrases that must or must not stand in a translation, told from its tokens so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heed/text/spellings.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

/// How much of each required phrase a hypothesis has. Phrases may overlap; one that is required twice stands there
/// twice.
class PhraseProgress {
 public:
  /// required: must outlive it; no phrase is empty.
  explicit PhraseProgress(std::span<const text::Ids> required) : required_(required), matched_(required.size(), 0) {}
  /// That of a hypothesis with these tokens.
  PhraseProgress(std::span<const text::Ids> required, std::span<const int32_t> hypothesis);

  void advance(int32_t token);

  bool all_met() const;
  /// The tokens of the phrases that are met and of the one that is furthest under way: what ranks hypotheses by how
  /// much they have of what is required (Post and Vilar 2018, https://arxiv.org/abs/1804.06609, section 3).
  int64_t tokens_met() const { return met() + static_cast<int64_t>(furthest()); }
  /// The tokens that are missing.
  int64_t tokens_left() const;
  /// Whether there is room for the phrases that are not met, and for any other token before them.
  bool may_wait(int64_t room) const { return tokens_left() + static_cast<int64_t>(furthest()) < room; }
  /// The next token of each phrase that is not met, each once, ascending.
  text::Ids next() const;
  /// The tokens of those phrases after which there is room for what is left of them then, each once, ascending.
  text::Ids next_within(int64_t room) const;

 private:
  bool is_met(size_t phrase) const { return matched_[phrase] == required_[phrase].size(); }
  bool waits_for_its_like(size_t phrase) const;
  int64_t met() const;
  size_t furthest() const;

  std::span<const text::Ids> required_;
  std::vector<size_t> matched_;  // of each phrase: how many of its first tokens the hypothesis ends with; all: met
};

/// The tokens that would complete one of the phrases behind a hypothesis, however it is spelled; each once, ascending.
text::Ids completing(std::span<const text::Spellings> phrases, std::span<const int32_t> hypothesis);

}  // namespace heed::search
