// A fast path for plain lines, which are nearly all lines of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "heed/text/bpe/words/string_hash.h"

namespace heed::text {

/// The bytes of a word of at most 15 bytes, padded with zeros. All bytes are zero if the word is empty, longer or ends
/// in NUL.
struct ShortWord {
  static constexpr size_t kLongest = 15;

  uint64_t low = 0;
  uint64_t high = 0;

  static ShortWord of(std::string_view word) {
    ShortWord made;
    if (word.empty() || word.size() > kLongest || word.back() == '\0') return made;
    char bytes[2 * sizeof(uint64_t)] = {};
    word.copy(bytes, word.size());
    std::memcpy(&made.low, bytes, sizeof made.low);
    std::memcpy(&made.high, bytes + sizeof made.low, sizeof made.high);
    return made;
  }
  bool empty() const { return (low | high) == 0; }
  bool operator==(const ShortWord& other) const { return ((low ^ other.low) | (high ^ other.high)) == 0; }
};

/// A hash table with short words as keys. Each slot has a word and its value, so a lookup reads one place in memory.
template <class Value>
class ShortWordMap {
 public:
  ShortWordMap() { clear(); }

  /// Prefetches the slot of a word. Call it for several words before the first find(): this hides the latency of
  /// memory.
  void prefetch(ShortWord word) const { __builtin_prefetch(&slots_[first_slot_of(word)]); }
  /// Null if the word was not added; valid until the next add().
  const Value* find(ShortWord word) const {
    const Slot& slot = slots_[slot_of(word)];
    return slot.word.empty() ? nullptr : &slot.value;
  }
  /// Adds a new word.
  void add(ShortWord word, const Value& value) {
    if (8 * ++taken_ > 5 * slots_.size()) grow();
    slots_[slot_of(word)] = {word, value};
  }
  size_t size() const { return taken_; }
  void clear() {
    slots_.assign(kFirstSlots, {});
    taken_ = 0;
  }

 private:
  static constexpr size_t kFirstSlots = 4096;
  struct Slot {
    ShortWord word;
    Value value{};
  };

  size_t first_slot_of(ShortWord word) const {
    return hash_detail::mixed(word.low ^ 0xA0761D6478BD642FU, word.high ^ 0xE7037ED1A0B428DBU) & (slots_.size() - 1);
  }
  /// The slot of the word, or the free slot to add it to.
  size_t slot_of(ShortWord word) const {
    size_t i = first_slot_of(word);
    while (!slots_[i].word.empty() && !(slots_[i].word == word)) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (!slot.word.empty()) slots_[slot_of(slot.word)] = slot;
    }
  }

  std::vector<Slot> slots_;  // the size is a power of two; at most 5 of 8 slots are used
  size_t taken_ = 0;
};

/// A word of a plain line. A space or LF follows it.
struct PlainWord {
  std::string_view text;
  ShortWord key;  ///< empty if the word is too long for a ShortWord

  char after() const { return *text.end(); }
};

/// A plain line ends in LF and has single spaces between words, none at its ends, and no other byte below 0x21. Its
/// words are those of for_each_word, except that non-ASCII line ends may be inside words. Sets `words` to the words of
/// the first plain lines of `text`, about a hundred words, and returns the size of these lines.
size_t scan_plain_lines(std::string_view text, std::vector<PlainWord>& words);

}  // namespace heed::text
