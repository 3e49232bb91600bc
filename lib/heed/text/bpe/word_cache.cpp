#include "heed/text/bpe/word_cache.h"

#include <limits>

namespace heed::text {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kMostBytes = size_t{64} << 20U;

}  // namespace

void WordCache::clear() {
  bytes_.clear();
  slots_.assign(kFirstSlots, {});
  mask_ = static_cast<uint32_t>(kFirstSlots - 1);
  taken_ = 0;
}

void WordCache::put(const Slot& slot) {
  size_t i = slot.hash & mask_;
  while (slots_[i].word_size > 0) i = (i + 1) & mask_;
  slots_[i] = slot;
}

void WordCache::keep(std::string_view word, std::string_view result) {
  constexpr size_t kLongest = std::numeric_limits<uint16_t>::max();
  if (word.empty() || word.size() > kLongest || result.size() > kLongest) return;
  if (bytes_.size() > kMostBytes) clear();
  if (2 * ++taken_ > slots_.size()) {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    mask_ = static_cast<uint32_t>(slots_.size() - 1);
    for (const Slot& slot : before) {
      if (slot.word_size > 0) put(slot);
    }
  }
  put({.hash = string_hash(word),
       .begin = static_cast<uint32_t>(bytes_.size()),
       .word_size = static_cast<uint16_t>(word.size()),
       .result_size = static_cast<uint16_t>(result.size())});
  (bytes_ += word) += result;
}

}  // namespace heed::text
