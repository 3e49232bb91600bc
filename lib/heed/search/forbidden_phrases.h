// Phrases that a translation must not contain between word boundaries, however they are tokenized.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "heed/text/phrase_automaton.h"
#include "heed/text/token_texts.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

/// Reads a hypothesis token by token and finds which tokens must not follow. A phrase is complete only when the next
/// character ends its last word. A token that completes "er" is therefore allowed, because it may become "erst". After
/// it, every token that ends the word is excluded, and so is end-of-sentence.
///
/// Thread-safe. The excluded tokens of a state are computed at its first use and cached. This takes time proportional
/// to the text of the vocabulary.
class ForbiddenPhrases {
 public:
  /// phrases: well-formed UTF-8; a run of white space counts as one space.
  ForbiddenPhrases(std::shared_ptr<const text::TokenTexts> tokens, std::vector<std::string> phrases);

  /// The text read so far; at first empty.
  struct State {
    text::PhraseAutomaton::State text;
    std::array<char, 3> bytes{};  ///< the first bytes of a character that byte tokens spell
    uint8_t byte_count = 0;
  };
  /// Reads a token. Returns whether the text now contains a phrase.
  bool read(State& state, int32_t token) const;
  /// Reads well-formed UTF-8 text. Returns the same as read().
  bool read_text(State& state, std::string_view text) const;
  /// The state after these tokens.
  State after(State state, std::span<const int32_t> tokens) const;
  /// Whether a text that ends in this state contains a phrase.
  bool found_at_end(State state) const;
  /// The tokens that would make the text contain a phrase, ascending; includes end-of-sentence if the end would.
  /// single: the search keeps one hypothesis, so it has no alternative if no probable token continues the word. A token
  /// that begins a word and completes a phrase is then excluded too. That also excludes longer words that begin with
  /// this token.
  const text::Ids& barred(const State& state, bool single) const;

  /// The number of tokens to keep if a hypothesis after `state` must end: as many as possible, but at least `least`.
  /// The text must not end with a phrase.
  size_t longest_end(State state, std::span<const int32_t> tokens, size_t least) const;
  /// Whether a text contains a phrase.
  bool is_found_in(std::string_view text) const { return automaton_.is_found_in(text); }
  /// The phrases that none of these texts contains; null: none of the phrases is in a text.
  std::shared_ptr<const ForbiddenPhrases> without_those_in(std::span<const std::string> texts) const;

 private:
  bool read_bytes(State& state, std::string_view bytes) const;
  bool begins_word(int32_t token) const;

  std::shared_ptr<const text::TokenTexts> tokens_;
  std::vector<std::string> phrases_;
  text::PhraseAutomaton automaton_;
  using Key = std::tuple<int32_t, text::WordClass, std::array<char, 3>, uint8_t, bool>;
  static Key key(const State& state, bool single) {
    return {state.text.node, state.text.last, state.bytes, state.byte_count, single};
  }
  mutable std::mutex mutex_;
  mutable std::map<Key, text::Ids> barred_;  // by state, for the states met so far
};

}  // namespace heed::search
