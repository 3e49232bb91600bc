// A cache of segmented words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/bpe/words/plain_lines.h"
#include "heed/text/bpe/words/string_table.h"
#include "heed/text/bpe/words/text_buffer.h"

namespace heed::text {

/// Segmentations by word. The cache is emptied when it grows large, so that its memory is bounded.
class WordCache {
 public:
  /// Call it for several words before append().
  void prefetch(const PlainWord& word) const { short_.prefetch(word.key); }
  /// Appends the cached result of the word. Returns false if it is not cached.
  bool append(const PlainWord& word, TextBuffer& out) const {
    const ShortResult* result = word.key.empty() ? nullptr : short_.find(word.key);
    if (result == nullptr) return append_long(word.text, out);
    out.append_of(result->bytes, result->size);
    return true;
  }
  /// Caches the result of a word that is not cached yet.
  void keep(const PlainWord& word, std::string_view result);

 private:
  /// With this size a slot of the map has 48 bytes. Larger slots would cost more than the few long results do.
  struct ShortResult {
    std::array<char, 31> bytes;
    uint8_t size;
  };
  bool append_long(std::string_view word, TextBuffer& out) const;
  void forget_if_large();

  ShortWordMap<ShortResult> short_;  // short results of short words
  StringTable long_;                 // all other words
  std::string results_;              // results of the words in long_
  std::vector<size_t> ends_{0};      // 0, then the end of each result in results_
};

}  // namespace heed::text
