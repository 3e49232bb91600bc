#include "heed/text/phrase_automaton.h"

#include <algorithm>
#include <numeric>

#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr TextCharacter kWordBreak{.code = U' ', .word_class = WordClass::Space};

}  // namespace

PhraseAutomaton::PhraseAutomaton(std::span<const std::string> phrases) {
  for (const std::string& phrase : phrases) add(phrase);
  link();
}

void PhraseAutomaton::add(std::string_view phrase) {
  int32_t node = kRoot;
  const auto enter = [&](const TextCharacter& character) {
    const auto [found, is_new] = children_.try_emplace(key(node, character.code), static_cast<int32_t>(parent_.size()));
    if (is_new) {
      parent_.push_back(node);
      character_.push_back(character);
      ends_.push_back(false);
    }
    node = found->second;
  };
  for (const std::string_view word : split_whitespace(phrase)) {
    if (node != kRoot) enter(kWordBreak);
    std::ranges::for_each(text_characters(word), enter);
  }
  ends_[index(node)] = node != kRoot;
}

/// Finds the fallback of every node, in the order of their depth.
void PhraseAutomaton::link() {
  fallback_.assign(parent_.size(), kRoot);
  std::vector<size_t> depth(parent_.size(), 0), order(parent_.size());
  for (size_t node = 1; node < parent_.size(); ++node) depth[node] = depth[index(parent_[node])] + 1;
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t node) { return depth[node]; });
  for (const size_t node : order) {
    const int32_t parent = parent_[node];
    if (parent == kRoot) continue;
    const WordClass before = character_[index(parent)].word_class;
    fallback_[node] = after(fallback_[index(parent)], before, character_[node]);
    if (ends_[index(fallback_[node])]) ends_[node] = true;
  }
}

int32_t PhraseAutomaton::child(int32_t node, char32_t code) const {
  const auto found = children_.find(key(node, code));
  return found == children_.end() ? kRoot : found->second;
}

/// The next node after reading a character. `last` is the class of the character before it.
int32_t PhraseAutomaton::after(int32_t node, WordClass last, const TextCharacter& character) const {
  for (; node != kRoot; node = fallback_[index(node)]) {
    if (const int32_t next = child(node, character.code); next != kRoot) return next;
  }
  return is_word_boundary(last, character.word_class) ? child(kRoot, character.code) : kRoot;
}

bool PhraseAutomaton::read(State& state, const TextCharacter& character) const {
  const bool is_space = character.word_class == WordClass::Space;
  if (is_space && state.last == WordClass::Space) return false;
  const TextCharacter& read = is_space ? kWordBreak : character;
  const bool found = found_at_end(state) && is_word_boundary(state.last, read.word_class);
  state.node = after(state.node, state.last, read);
  state.last = read.word_class;
  return found;
}

bool PhraseAutomaton::is_found_in(std::string_view text) const {
  State state;
  for (const TextCharacter& character : text_characters(text)) {
    if (read(state, character)) return true;
  }
  return found_at_end(state);
}

}  // namespace heed::text
