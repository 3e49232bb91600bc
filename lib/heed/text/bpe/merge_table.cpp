#include "heed/text/bpe/merge_table.h"

#include <algorithm>
#include <bit>

#include "heed/core/error.h"

namespace heed::text {

MergeTable::MergeTable(size_t capacity) {
  Line empty;
  empty.keys.fill(kNothing);
  empty.found.fill(kNothing);
  lines_.assign(std::bit_ceil(capacity + 2), empty);
  shift_ = 64 - std::countr_zero(lines_.size());
  merges_.reserve(capacity);
}

void MergeTable::add(const Merge& merge) {
  check(merges_.size() < lines_.size(), "more merges than the table can hold");
  const uint64_t key = key_of(merge.left, merge.right);
  size_t i = line_of(key);
  while (lines_[i].keys.back() != kNothing) i = (i + 1) & (lines_.size() - 1);
  const auto place = static_cast<size_t>(std::ranges::find(lines_[i].keys, kNothing) - lines_[i].keys.begin());
  lines_[i].keys[place] = key;
  lines_[i].found[place] = uint64_t{size()} << 32U | merge.joined;
  merges_.push_back(merge);
}

}  // namespace heed::text
