// Finds phrases between word boundaries in a text, character by character.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/text/word_boundary.h"

namespace heed::text {

/// The automaton of Aho and Corasick (1975, https://doi.org/10.1145/360825.360855). Matches must begin and end at word
/// boundaries (is_word_boundary). A run of white space counts as one space, as do the start and the end of a text.
class PhraseAutomaton {
 public:
  /// phrases: well-formed UTF-8. Blank phrases are ignored.
  explicit PhraseAutomaton(std::span<const std::string> phrases);

  /// The state of the automaton after the characters read so far.
  struct State {
    int32_t node = 0;                   ///< node of the longest prefix of a phrase that the text read so far ends with
    WordClass last = WordClass::Space;  ///< class of the last character
    bool operator==(const State&) const = default;
  };
  /// Reads a character. Returns whether a phrase ended before it, because only the next character shows that a word has
  /// ended.
  bool read(State& state, const TextCharacter& character) const;
  /// Whether a phrase ends at the end of the text.
  bool found_at_end(const State& state) const { return ends_[index(state.node)]; }
  /// Whether a text contains one of the phrases.
  bool is_found_in(std::string_view text) const;

 private:
  static constexpr int32_t kRoot = 0;
  static size_t index(int32_t node) { return static_cast<size_t>(node); }
  static uint64_t key(int32_t node, char32_t code) { return static_cast<uint64_t>(node) << 32U | code; }
  void add(std::string_view phrase);
  void link();
  int32_t child(int32_t node, char32_t code) const;
  int32_t after(int32_t node, WordClass last, const TextCharacter& character) const;

  std::unordered_map<uint64_t, int32_t> children_;  // by node and character
  // One entry per node. Children come after their parent.
  std::vector<int32_t> parent_{kRoot};
  std::vector<TextCharacter> character_{{.code = U' ', .word_class = WordClass::Space}};
  std::vector<int32_t> fallback_{kRoot};  // node of the longest proper suffix that begins at a boundary
  std::vector<bool> ends_{false};         // whether a phrase ends at the node
};

}  // namespace heed::text
