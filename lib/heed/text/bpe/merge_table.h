// The merges of byte-pair encoding, found by the pair of symbols that they join.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::text {

/// Merges with their ranks, from 0 in the order in which they are added. Pairs with the same hash share part of a cache
/// line, which find() reads as a whole: whether a pair is there, and where, seldom costs a mispredicted branch.
class MergeTable {
 public:
  struct Merge {
    uint32_t left, right, joined;  ///< symbols
  };
  struct Found {
    uint32_t rank, joined;  ///< both kNone if no merge joins the pair
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  /// Has room for that many merges.
  explicit MergeTable(size_t capacity);
  /// Adds a merge of a pair that is not there yet. Throws if there is no room.
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
  /// Filled from its begin; what does not fit goes to the next line.
  struct alignas(kPlaces * 16) Line {
    std::array<uint64_t, kPlaces> keys;
    std::array<uint64_t, kPlaces> found;  // rank and joined symbol

    /// With operations on bits rather than conditions, of which compilers make branches.
    uint64_t find(uint64_t key) const {
      uint64_t result = kNothing;
      for (size_t place = 0; place < kPlaces; ++place) result &= found[place] | (0 - uint64_t{keys[place] != key});
      return result;
    }
  };

  static uint64_t key_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32U | right; }
  size_t line_of(uint64_t key) const { return (key ^ key >> 29U) * 0x9E3779B97F4A7C15U >> shift_; }

  std::vector<Merge> merges_;
  std::vector<Line> lines_;  // a power of two, at least as many as there may be merges
  int shift_;                // leaves the bits of a hash that number a line
};

}  // namespace heed::text
