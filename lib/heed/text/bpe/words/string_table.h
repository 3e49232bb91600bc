// Numbers distinct strings. Fast and compact, for word counts, symbols and caches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// Distinct strings, numbered from 0 in the order of add(). Their bytes are contiguous, and their numbers are in an
/// open-addressing hash table. A string takes its length and about twenty bytes.
class StringTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  StringTable() { clear(); }
  /// The number of `text`; kNone if it was not added.
  uint32_t find(std::string_view text) const;
  /// The number of `text`. A new string is added.
  uint32_t add(std::string_view text);
  /// The string with this number; valid until the next add().
  std::string_view operator[](uint32_t number) const {
    return {bytes_.data() + begins_[number], static_cast<size_t>(begins_[number + 1] - begins_[number])};
  }
  uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  /// The total bytes of all strings.
  size_t bytes() const { return bytes_.size(); }
  void clear();
  /// Reserves space for `count` strings.
  void reserve(size_t count);

 private:
  struct Slot {
    uint32_t hash;
    uint32_t number;
  };
  /// The slot of `text`, or the free slot to add it to.
  size_t slot_of(std::string_view text, uint32_t hash) const;
  void resize(size_t slots);

  std::string bytes_;
  std::vector<uint64_t> begins_;  // start of each string, then the end of the last
  std::vector<Slot> slots_;       // the size is a power of two; at most half of the slots are used
};

}  // namespace heed::text
