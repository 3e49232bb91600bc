#include "heed/text/bpe/pair_statistics.h"

#include <algorithm>
#include <bit>

#include "heed/core/error.h"

namespace heed::text {

uint32_t PairTable::add(uint32_t left, uint32_t right) {
  const uint64_t key = key_of(left, right);
  const size_t i = slot_of(key);
  if (slots_[i].number != kNone) return slots_[i].number;
  check(size() < kNone && key != kNoKey, "too many different pairs");
  const uint32_t number = size();
  pairs_.push_back({left, right});
  if (2 * pairs_.size() > slots_.size())
    resize(2 * slots_.size());
  else
    slots_[i] = {key, number};
  return number;
}

void PairTable::reserve(size_t count) {
  if (2 * count > slots_.size()) resize(std::bit_ceil(2 * count));
  pairs_.reserve(count);
}

void PairTable::resize(size_t slots) {
  slots_.assign(slots, {kNoKey, kNone});
  for (uint32_t pair = 0; pair < size(); ++pair) {
    const uint64_t key = key_of(pairs_[pair].left, pairs_[pair].right);
    slots_[slot_of(key)] = {key, pair};
  }
}

bool PairStatistics::before(const Waiting& a, const Waiting& b) const {
  if (a.frequency != b.frequency) return a.frequency < b.frequency;
  const auto& [left, right] = pairs_[a.pair];
  const auto& [other_left, other_right] = pairs_[b.pair];
  // UTF-8 bytes sort in code point order.
  if (left != other_left) return symbols_[left] < symbols_[other_left];
  return right != other_right && symbols_[right] < symbols_[other_right];
}

void PairStatistics::push(uint32_t pair) {
  Entry& entry = entries_[pair];
  entry.waiting = true;
  entry.queued = entry.frequency;
  queue_.push_back({entry.frequency, pair});
  std::ranges::push_heap(queue_, order());
}

void PairStatistics::begin() {
  int64_t highest = entries_.at(0).frequency;
  for (Entry& entry : entries_) {
    entry.full = entry.frequency;
    highest = std::max(highest, entry.frequency);
  }
  threshold_ = static_cast<double>(highest) / 10;
}

/// The best pair of the working table. Absent if the table is empty or all its pairs are rare.
std::optional<uint32_t> PairStatistics::top() {
  for (const uint32_t pair : changed_) {
    Entry& entry = entries_[pair];
    entry.changed = false;
    if (entry.working && !rare(entry) && !(entry.waiting && entry.queued >= entry.frequency)) push(pair);
  }
  changed_.clear();
  while (!queue_.empty()) {
    const Waiting first = queue_.front();
    Entry& entry = entries_[first.pair];
    const bool current = entry.waiting && entry.queued == first.frequency;
    const bool candidate = current && entry.working && !rare(entry);
    if (candidate && entry.frequency == first.frequency) return first.pair;
    std::ranges::pop_heap(queue_, order());
    queue_.pop_back();
    if (current) entry.waiting = false;
    if (candidate) push(first.pair);
  }
  return std::nullopt;
}

void PairStatistics::take_out(Entry& entry) {
  if (entry.frequency < 0)
    entry.full += entry.frequency;
  else
    entry.full = entry.frequency;
  entry.frequency = 0;
  entry.working = false;
}

/// Fills the working table again from the full table, with a threshold for the current frequencies.
uint32_t PairStatistics::refill(int64_t merge) {
  queue_.clear();
  touched_.clear();
  Waiting best{.frequency = 0, .pair = PairTable::kNone};
  for (uint32_t pair = 0; pair < entries_.size(); ++pair) {
    Entry& entry = entries_[pair];
    if (entry.working && rare(entry)) take_out(entry);
    const Waiting here{.frequency = entry.full, .pair = pair};
    if (best.pair == PairTable::kNone || before(best, here)) best = here;
  }
  const auto position = static_cast<double>(merge);
  threshold_ = static_cast<double>(best.frequency * merge) / (position + 10000.0);
  for (uint32_t pair = 0; pair < entries_.size(); ++pair) {
    Entry& entry = entries_[pair];
    entry.frequency = entry.queued = entry.full;
    entry.working = entry.waiting = !rare(entry);
    entry.changed = entry.touched = false;
    if (entry.working)
      queue_.push_back({entry.frequency, pair});
    else
      take_out(entry);
  }
  std::ranges::make_heap(queue_, order());
  return best.pair;
}

uint32_t PairStatistics::best(int64_t merge) {
  const auto found = top();
  return found ? *found : refill(merge);
}

void PairStatistics::end_merge(int64_t merge) {
  if (merge % 100 != 0) return;
  for (const uint32_t pair : touched_) {
    Entry& entry = entries_[pair];
    entry.touched = false;
    if (entry.working && rare(entry)) take_out(entry);
  }
  touched_.clear();
}

}  // namespace heed::text
