#include "heed/text/bpe/merge_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/bpe/words/string_table.h"

namespace heed::text {
namespace {

constexpr size_t kFewSymbols = 64;  // most symbols for merge_short()

/// Searches all pairs for the lowest rank. This is quadratic, but fastest for words of usual length, as it has few
/// branches. It merges one place at a time, which is correct unless a merge makes a pair of lower rank. In that case
/// returns nullopt and leaves the symbols unchanged. The symbol before the first and after the last is unknown, so no
/// neighbor has to be checked.
std::optional<size_t> merge_short(const MergeTable& merges, Symbols symbols) {
  constexpr uint64_t kLast = ~uint64_t{0};
  const size_t size = symbols.size();
  std::array<uint32_t, kFewSymbols + 2> ids;     // of the symbols, from index 1 on
  std::array<uint32_t, kFewSymbols + 2> joined;  // result of merging each with the next
  std::array<uint64_t, kFewSymbols + 2> ranks;   // rank of each with the next; the lowest byte is the position
  std::array<uint8_t, kFewSymbols + 2> next;
  std::array<uint8_t, kFewSymbols + 2> previous;
  const auto rank = [&](size_t left, size_t right) {
    const MergeTable::Found found = merges.find(ids[left], ids[right]);
    joined[left] = found.joined;
    return ranks[left] = uint64_t{found.rank} << 8U | left;
  };
  ids[0] = ids[size + 1] = StringTable::kNone;
  for (size_t i = 1; i <= size; ++i) {
    ids[i] = symbols[i - 1].id;
    next[i] = static_cast<uint8_t>(i + 1);
    previous[i] = static_cast<uint8_t>(i - 1);
  }
  uint64_t lowest = kLast;
  for (size_t i = 1; i < size; ++i) lowest = std::min(lowest, rank(i, i + 1));
  ranks[size] = kLast;
  while (lowest >> 8U < MergeTable::kNone) {
    const size_t i = lowest & 0xFFU;
    const size_t gone = next[i];
    const size_t before = previous[i];
    const size_t after = next[gone];
    ids[i] = joined[i];
    next[i] = static_cast<uint8_t>(after);
    previous[after] = static_cast<uint8_t>(i);
    ranks[before] = ranks[i] = ranks[gone] = kLast;
    // Computed before the two lookups below, so that it does not wait for them.
    uint64_t even = kLast;
    uint64_t odd = kLast;
    for (size_t other = 1; other < size; other += 2) {
      even = std::min(even, ranks[other]);
      odd = std::min(odd, ranks[other + 1]);
    }
    const uint64_t made = std::min(rank(before, i), rank(i, after));
    if (made < lowest) return std::nullopt;
    lowest = std::min(std::min(even, odd), made);
  }
  size_t kept = 0;
  for (size_t i = 1; i <= size; i = next[i]) symbols[kept++] = {ids[i], symbols[i - 1].begin};
  return kept;
}

/// A priority queue has the places of pairs by rank. Places that an earlier merge changed are skipped.
size_t merge_long(const MergeTable& merges, Symbols symbols) {
  constexpr uint32_t kGone = StringTable::kNone - 1;
  struct Place {
    uint32_t rank, left;
    bool operator>(const Place& other) const { return std::pair(rank, left) > std::pair(other.rank, other.left); }
  };
  const auto size = static_cast<uint32_t>(symbols.size());
  std::vector<uint32_t> next(size);
  std::vector<uint32_t> previous(size);
  std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;
  const auto push = [&](uint32_t left) {
    const uint32_t rank = merges.find(symbols[left].id, symbols[next[left]].id).rank;
    if (rank != MergeTable::kNone) queue.push({rank, left});
  };
  for (uint32_t i = 0; i < size; ++i) {
    next[i] = i + 1;
    previous[i] = i == 0 ? size : i - 1;
  }
  for (uint32_t i = 0; i + 1 < size; ++i) push(i);
  std::vector<uint32_t> merged;
  while (!queue.empty()) {
    const uint32_t rank = queue.top().rank;
    const auto [left_id, right_id, joined] = merges[rank];
    merged.clear();
    for (; !queue.empty() && queue.top().rank == rank; queue.pop()) {
      const uint32_t left = queue.top().left;
      const uint32_t right = next[left];
      if (symbols[left].id != left_id || right >= size || symbols[right].id != right_id) continue;
      symbols[left].id = joined;
      symbols[right].id = kGone;
      next[left] = next[right];
      if (next[left] < size) previous[next[left]] = left;
      merged.push_back(left);
    }
    // New pairs are added only after all places of this rank are merged: their rank may be lower.
    for (const uint32_t place : merged) {
      if (previous[place] < size) push(previous[place]);
      if (next[place] < size) push(place);
    }
  }
  const auto gone = std::ranges::remove(symbols, kGone, &Symbol::id);
  return symbols.size() - gone.size();
}

}  // namespace

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

size_t merge_word(const MergeTable& merges, Symbols symbols) {
  const std::optional<size_t> kept = symbols.size() <= kFewSymbols ? merge_short(merges, symbols) : std::nullopt;
  return kept ? *kept : merge_long(merges, symbols);
}

}  // namespace heed::text
