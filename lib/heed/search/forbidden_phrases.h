// Phrases that no translation contains between word boundaries, whatever tokens spell them.
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

/// Reads a hypothesis token by token and says which tokens must not follow. A phrase is over only when the next
/// character ends its last word, so a token that completes "er" may follow: it may become "erst". After it, every token
/// that ends the word is barred, and so is the end of the sentence.
///
/// May be used by several threads. The tokens barred in a state are found at its first use, in time proportional to the
/// text of the vocabulary, and kept.
class ForbiddenPhrases {
 public:
  /// phrases: well-formed UTF-8; white space in a row counts as one space.
  ForbiddenPhrases(std::shared_ptr<const text::TokenTexts> tokens, std::vector<std::string> phrases);

  /// What has been read; at first nothing.
  struct State {
    text::PhraseAutomaton::State text;
    std::array<char, 3> bytes{};  ///< the begin of a character that byte tokens spell
    uint8_t byte_count = 0;
  };
  /// Reads a token. Returns whether the text contains a phrase now.
  bool read(State& state, int32_t token) const;
  /// Reads text, well-formed UTF-8, in the same way.
  bool read_text(State& state, std::string_view text) const;
  /// The state when these tokens have been read as well.
  State after(State state, std::span<const int32_t> tokens) const;
  /// Whether a text that ends in this state contains a phrase.
  bool found_at_end(State state) const;
  /// The tokens that make the text contain a phrase, ascending; end-of-sentence if the end does. single: the search
  /// keeps one hypothesis, which cannot lose against another when no likely token continues the word. Then a token that
  /// begins a word and completes a phrase is barred as well, and with it longer words that begin with this token.
  const text::Ids& barred(const State& state, bool single) const;

  /// How many tokens a hypothesis behind `state` keeps if it must end: as many as there are, but at least `least`, so
  /// that the text does not end with a phrase.
  size_t longest_end(State state, std::span<const int32_t> tokens, size_t least) const;
  /// Whether a text contains a phrase.
  bool is_found_in(std::string_view text) const { return automaton_.is_found_in(text); }
  /// The phrases that none of these texts contains; null: they are all of them.
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
  mutable std::map<Key, text::Ids> barred_;  // of the states met so far
};

}  // namespace heed::search
