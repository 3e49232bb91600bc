// Finds phrases in a text, character by character, where word boundaries enclose them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/text/word_boundary.h"

namespace heed::text {

/// The automaton of Aho and Corasick (1975, https://doi.org/10.1145/360825.360855), whose matches begin and end at word
/// boundaries (is_word_boundary). White space in a row counts as one space, and so do the begin and the end of a text.
class PhraseAutomaton {
 public:
  /// Well-formed UTF-8; blank ones are left out.
  explicit PhraseAutomaton(std::span<const std::string> phrases);

  /// What has been read, as far as the phrases are concerned. At first: nothing.
  struct State {
    int32_t node = 0;                   ///< of the longest begin of a phrase that the text ends with
    WordClass last = WordClass::Space;  ///< of the last character
    bool operator==(const State&) const = default;
  };
  /// Reads a character. Returns whether a phrase ended before it: only the next character shows that a word is over.
  bool read(State& state, const TextCharacter& character) const;
  /// Whether a phrase ends where the text ends.
  bool found_at_end(const State& state) const { return ends_[index(state.node)]; }
  /// Whether a text has one of the phrases.
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
  // One entry per node; a node comes after its parent.
  std::vector<int32_t> parent_{kRoot};
  std::vector<TextCharacter> character_{{.code = U' ', .word_class = WordClass::Space}};
  std::vector<int32_t> fallback_{kRoot};  // of its longest proper suffix that begins at a boundary
  std::vector<bool> ends_{false};         // whether a phrase ends there
};

}  // namespace heed::text
