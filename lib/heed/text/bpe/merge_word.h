// Applies the merges of byte-pair encoding to one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "heed/text/bpe/merge_table.h"

namespace heed::text {

/// A symbol of the word. Its text ends where the next symbol begins.
struct Symbol {
  uint32_t id;     ///< StringTable::kNone: a character without merges
  uint32_t begin;  ///< byte offset in the word
};
using Symbols = std::span<Symbol>;

/// Merges all occurrences of the pair with the lowest rank, from left to right, until no pair can be merged. Moves the
/// resulting symbols to the front and returns their number. The cost is O(n log n) in the length of the word.
size_t merge_word(const MergeTable& merges, Symbols symbols);

}  // namespace heed::text
