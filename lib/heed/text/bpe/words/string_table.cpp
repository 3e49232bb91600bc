#include "heed/text/bpe/words/string_table.h"

#include <bit>

#include "heed/core/error.h"
#include "heed/text/bpe/words/string_hash.h"

namespace heed::text {
namespace {

constexpr size_t kFirstSlots = 1024;

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

uint32_t StringTable::find(std::string_view text) const { return slots_[slot_of(text, string_hash(text))].number; }

uint32_t StringTable::add(std::string_view text) {
  const uint32_t hash = string_hash(text);
  size_t i = slot_of(text, hash);
  if (slots_[i].number != kNone) return slots_[i].number;
  check(size() < kNone - 1, "too many different strings");
  if (2 * (size_t{size()} + 1) > slots_.size()) {
    resize(2 * slots_.size());
    i = slot_of(text, hash);
  }
  slots_[i] = {hash, size()};
  bytes_ += text;
  begins_.push_back(bytes_.size());
  return size() - 1;
}

void StringTable::reserve(size_t count) {
  if (2 * count > slots_.size()) resize(std::bit_ceil(2 * count));
  begins_.reserve(count + 1);
}

void StringTable::resize(size_t slots) {
  std::vector<Slot> before(slots, {0, kNone});
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
