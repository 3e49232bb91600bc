// The merges of byte-pair encoding in a hash table, whose keys are pairs of symbols, and their application to a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::text {

/// Merges and their ranks, numbered from 0 in the order of add(). Pairs with the same hash are in the same part of a
/// cache line, and find() reads this part as a whole. So a lookup seldom has a mispredicted branch.
class MergeTable {
 public:
  struct Merge {
    uint32_t left, right, joined;  ///< symbols
  };
  struct Found {
    uint32_t rank, joined;  ///< both kNone if no merge joins the pair
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  /// Reserves space for `capacity` merges.
  explicit MergeTable(size_t capacity);
  /// Adds a merge of a new pair. Throws if the table is full.
  void add(const Merge& merge);
  Found find(uint32_t left, uint32_t right) const {
    const uint64_t key = key_of(left, right);
    const Line* line = &lines_[line_of(key)];
    uint64_t found = line->find(key);
    while ((found == kNothing) & (line->keys.back() != kNothing)) [[unlikely]] {
      line = line == &lines_.back() ? lines_.data() : line + 1;
      found = line->find(key);
    }
    return {.rank = static_cast<uint32_t>(found >> 32U), .joined = static_cast<uint32_t>(found)};
  }
  const Merge& operator[](uint32_t rank) const { return merges_[rank]; }
  uint32_t size() const { return static_cast<uint32_t>(merges_.size()); }

 private:
  static constexpr size_t kPlaces = 2;
  static constexpr uint64_t kNothing = ~uint64_t{0};  // the key of two unknown symbols, which no merge joins
  /// Filled from the first place on. If a line is full, the next line is used.
  struct alignas(kPlaces * 16) Line {
    std::array<uint64_t, kPlaces> keys;
    std::array<uint64_t, kPlaces> found;  // rank in the upper half, joined symbol in the lower half

    /// Uses bit operations, because compilers turn conditions into branches.
    uint64_t find(uint64_t key) const {
      uint64_t result = kNothing;
      for (size_t place = 0; place < kPlaces; ++place) result &= found[place] | (0 - uint64_t{keys[place] != key});
      return result;
    }
  };

  static uint64_t key_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32U | right; }
  size_t line_of(uint64_t key) const { return (key ^ key >> 29U) * 0x9E3779B97F4A7C15U >> shift_; }

  std::vector<Merge> merges_;
  std::vector<Line> lines_;  // the size is a power of two, at least the capacity
  int shift_;                // shift of a hash that leaves the number of a line
};

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
