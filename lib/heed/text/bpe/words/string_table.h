// Distinct strings with numbers: the fast, compact store behind word counts, symbols and caches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// Numbers distinct strings from 0 in the order in which they are added. Their bytes lie one behind the other and the
/// numbers in an open-addressing table, so that a string costs its length and some twenty bytes.
class StringTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  StringTable() { clear(); }
  /// The number of `text`; kNone if it was not added.
  uint32_t find(std::string_view text) const;
  /// The number of `text`, which is added if it is new.
  uint32_t add(std::string_view text);
  /// The string of a number; valid until the next add().
  std::string_view operator[](uint32_t number) const {
    return {bytes_.data() + begins_[number], static_cast<size_t>(begins_[number + 1] - begins_[number])};
  }
  uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  /// The bytes of all strings together.
  size_t bytes() const { return bytes_.size(); }
  void clear();
  /// Makes room for that many strings.
  void reserve(size_t count);

 private:
  struct Slot {
    uint32_t hash;
    uint32_t number;
  };
  /// The slot that holds `text`, or the free one where it belongs.
  size_t slot_of(std::string_view text, uint32_t hash) const;
  void resize(size_t slots);

  std::string bytes_;
  std::vector<uint64_t> begins_;  // of each string, and the end of the last one
  std::vector<Slot> slots_;       // a power of two, at most half of them taken
};

}  // namespace heed::text
