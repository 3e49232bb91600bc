// The merges of byte-pair encoding applied to one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "heed/text/bpe/merge_table.h"

namespace heed::text {

/// A symbol of the word at work: its text is that from `begin` to the begin of the next symbol.
struct Symbol {
  uint32_t id;     ///< StringTable::kNone: a character that is in no merge
  uint32_t begin;  ///< bytes
};
using Symbols = std::span<Symbol>;

/// Merges the pair of the lowest rank wherever it stands, from left to right, until no pair is left. Puts the symbols
/// that are left first and returns their number. The cost is n log n in the word's length.
size_t merge_word(const MergeTable& merges, Symbols symbols);

}  // namespace heed::text
