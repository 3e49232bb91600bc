// What words became before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/bpe/string_hash.h"

namespace heed::text {

/// Results by word. A word's bytes and those of its result stand together, so that looking one up touches two places in
/// memory. Forgets everything when it grows large: no text fills the memory.
class WordCache {
 public:
  WordCache() { clear(); }
  /// A word that is about to be looked up. Memory is slow and words are many: look several up step by step, so that what
  /// each step needs is on its way already.
  struct Lookup {
    std::string_view word;
    uint32_t hash = 0;
    uint32_t slot = 0;
    uint32_t mask = 0;  // of the table that the slot is in
  };
  Lookup begin(std::string_view word) const {
    const uint32_t hash = string_hash(word);
    __builtin_prefetch(&slots_[hash & mask_]);
    return {.word = word, .hash = hash, .slot = hash & mask_, .mask = mask_};
  }
  void approach(Lookup& lookup) const {
    while (slots_[lookup.slot].word_size > 0 && slots_[lookup.slot].hash != lookup.hash) advance(lookup);
    __builtin_prefetch(bytes_.data() + slots_[lookup.slot].begin);
  }
  /// The result kept for the word; valid until the next keep().
  std::optional<std::string_view> find(Lookup lookup) const {
    if (lookup.mask != mask_) lookup = begin(lookup.word);
    for (; slots_[lookup.slot].word_size > 0; advance(lookup)) {
      const Slot& slot = slots_[lookup.slot];
      const char* bytes = bytes_.data() + slot.begin;
      if (slot.hash == lookup.hash && slot.word_size == lookup.word.size() &&
          hash_detail::same(bytes, lookup.word.data(), slot.word_size)) {
        return std::string_view(bytes + slot.word_size, slot.result_size);
      }
    }
    return std::nullopt;
  }
  /// Keeps the result of a word that find() does not know; a long one is not kept.
  void keep(std::string_view word, std::string_view result);

 private:
  struct Slot {
    uint32_t hash;
    uint32_t begin;       // in bytes_
    uint16_t word_size;   // 0: free
    uint16_t result_size;
  };
  void advance(Lookup& lookup) const { lookup.slot = (lookup.slot + 1) & mask_; }
  void clear();
  void put(const Slot& slot);

  std::string bytes_;
  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  uint32_t mask_ = 0;
  size_t taken_ = 0;
};

}  // namespace heed::text
