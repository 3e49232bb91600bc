#include "heed/text/bpe/string_table.h"

#include <cstring>

#include "heed/core/error.h"

namespace heed::text {
namespace {

constexpr size_t kFirstSlots = 1024;

/// Mixes eight bytes at a time, as wyhash and its kin do.
uint32_t hash_of(std::string_view text) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15U;
  const auto mixed = [](uint64_t a, uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64U);
  };
  uint64_t hash = text.size() * kMultiplier;
  const char* next = text.data();
  size_t left = text.size();
  for (uint64_t eight = 0; left >= sizeof eight; left -= sizeof eight, next += sizeof eight) {
    std::memcpy(&eight, next, sizeof eight);
    hash = mixed(hash ^ eight, kMultiplier);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, next, left);
  return static_cast<uint32_t>(mixed(hash ^ rest, kMultiplier + 2));
}

}  // namespace

void StringTable::clear() {
  bytes_.clear();
  begins_.assign(1, 0);
  slots_.assign(kFirstSlots, {0, kNone});
}

size_t StringTable::slot_of(std::string_view text, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.number == kNone || (slot.hash == hash && (*this)[slot.number] == text)) return i;
  }
}

uint32_t StringTable::find(std::string_view text) const { return slots_[slot_of(text, hash_of(text))].number; }

uint32_t StringTable::add(std::string_view text) {
  const uint32_t hash = hash_of(text);
  size_t i = slot_of(text, hash);
  if (slots_[i].number != kNone) return slots_[i].number;
  check(size() < kNone - 1, "too many different strings");
  if (2 * (size_t{size()} + 1) > slots_.size()) {
    grow();
    i = slot_of(text, hash);
  }
  slots_[i] = {hash, size()};
  bytes_ += text;
  begins_.push_back(bytes_.size());
  return size() - 1;
}

void StringTable::grow() {
  std::vector<Slot> before(2 * slots_.size(), {0, kNone});
  before.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : before) {
    if (slot.number == kNone) continue;
    size_t i = slot.hash & mask;
    while (slots_[i].number != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace heed::text
