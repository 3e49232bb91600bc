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

/// Results by word. Forgets everything when it grows large: no text fills the memory.
class WordCache {
 public:
  /// To be called for several words before append().
  void prefetch(const PlainWord& word) const { short_.prefetch(word.key); }
  /// Appends the result kept for the word; false if none is.
  bool append(const PlainWord& word, TextBuffer& out) const {
    const ShortResult* result = word.key.empty() ? nullptr : short_.find(word.key);
    if (result == nullptr) return append_long(word.text, out);
    out.append_of(result->bytes, result->size);
    return true;
  }
  /// Keeps the result of a word that has none.
  void keep(const PlainWord& word, std::string_view result);

 private:
  /// Makes a slot of the map 48 bytes: more would cost more memory than the few long results cost time.
  struct ShortResult {
    std::array<char, 31> bytes;
    uint8_t size;
  };
  bool append_long(std::string_view word, TextBuffer& out) const;
  void forget_if_large();

  ShortWordMap<ShortResult> short_;  // short results of short words
  StringTable long_;                 // the other words
  std::string results_;              // theirs
  std::vector<size_t> ends_{0};      // of each in results_, and the begin of the first one
};

}  // namespace heed::text
