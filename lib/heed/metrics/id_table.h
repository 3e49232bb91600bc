// Maps keys that are often compared to numbers: equal keys have equal numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace heed::metrics {

/// A hash table from keys to the numbers 0, 1, ... in order of first insertion. reset() keeps its memory.
template <class Key>
class IdTable {
 public:
  static constexpr uint32_t kAbsent = ~uint32_t{0};

  void reset(size_t most_keys) {
    const size_t slots = std::bit_ceil(2 * most_keys + 2);
    slots_.assign(slots, 0);
    mask_ = slots - 1;
    keys_.clear();
  }
  uint32_t insert(const Key& key) {
    uint32_t& number = slots_[slot(key)];
    if (number == 0) {
      keys_.push_back(key);
      number = static_cast<uint32_t>(keys_.size());
    }
    return number - 1;
  }
  /// kAbsent if the key was not inserted.
  uint32_t find(const Key& key) const { return slots_[slot(key)] - 1; }
  size_t size() const { return keys_.size(); }

 private:
  static size_t hash(std::string_view word) { return std::hash<std::string_view>{}(word); }
  static size_t hash(uint64_t key) {
    key *= 0x9e3779b97f4a7c15ULL;
    return static_cast<size_t>(key ^ (key >> 32));
  }
  size_t slot(const Key& key) const {
    size_t i = hash(key) & mask_;
    while (slots_[i] != 0 && keys_[slots_[i] - 1] != key) i = (i + 1) & mask_;
    return i;
  }

  std::vector<uint32_t> slots_;  // number + 1; 0: free
  std::vector<Key> keys_;
  size_t mask_ = 0;
};

}  // namespace heed::metrics
