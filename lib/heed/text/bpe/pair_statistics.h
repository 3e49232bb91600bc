// The frequencies of symbol pairs, computed as in subword-nmt's learner.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "heed/text/bpe/words/string_hash.h"
#include "heed/text/bpe/words/string_table.h"

namespace heed::text {

/// Numbers distinct pairs of symbols from 0.
class PairTable {
 public:
  struct Pair {
    uint32_t left, right;
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  PairTable() { resize(1024); }
  /// The number of the pair; kNone if it was not added.
  uint32_t find(uint32_t left, uint32_t right) const { return slots_[slot_of(key_of(left, right))].number; }
  /// The number of the pair. A new pair is added.
  uint32_t add(uint32_t left, uint32_t right);
  /// Reserves space for `count` pairs.
  void reserve(size_t count);
  const Pair& operator[](uint32_t number) const { return pairs_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(pairs_.size()); }

 private:
  struct Slot {
    uint64_t key;
    uint32_t number;  // kNone: free
  };
  static constexpr uint64_t kNoKey = ~uint64_t{0};

  static uint64_t key_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32U | right; }
  /// The slot of the pair, or the free slot to add it to.
  size_t slot_of(uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    size_t i = hash_detail::mixed(key, 0x9E3779B97F4A7C15U) & mask;  // a hash of both halves of the key
    while (slots_[i].key != key && slots_[i].key != kNoKey) i = (i + 1) & mask;
    return i;
  }
  void resize(size_t slots);

  std::vector<Pair> pairs_;
  std::vector<Slot> slots_;  // the size is a power of two; at most half of the slots are used
};

/// Frequencies of pairs. subword-nmt keeps two tables. Rare pairs are regularly removed from the working table. The
/// full table keeps all pairs, and the working table is filled from it again when its best pair falls below a
/// threshold. Their frequencies are wrong in one rare case: a symbol arises in two ways within a word. This changes the
/// merges, so both tables are kept here by the same rules.
class PairStatistics {
 public:
  PairStatistics(const StringTable& symbols, const PairTable& pairs) : symbols_(symbols), pairs_(pairs) {}

  /// Adds to the working frequency of a pair.
  void add(uint32_t pair, int64_t change) {
    Entry& entry = at(pair);
    entry.frequency += change;
    entry.working = true;
    if (!entry.changed) changed_.push_back(pair);
    if (!entry.touched) touched_.push_back(pair);
    entry.changed = entry.touched = true;
  }
  void set_zero(uint32_t pair) { add(pair, -at(pair).frequency); }
  /// Copies the frequencies so far to the full table and sets the first threshold. There must be at least one pair.
  void begin();
  /// The pair of merge number `merge` (0-based): the one with the highest frequency. Ties go to the greatest left
  /// symbol, then the greatest right symbol, by code points.
  uint32_t best(int64_t merge);
  int64_t frequency(uint32_t pair) const { return entries_[pair].frequency; }
  /// Ends a merge. Removes rare pairs after every hundredth.
  void end_merge(int64_t merge);

 private:
  struct Entry {
    int64_t frequency = 0;  // in the working table; 0 if it is not there
    int64_t full = 0;       // in the full table
    int64_t queued = 0;     // the frequency with which it is in queue_
    bool working = false;
    bool waiting = false;
    bool changed = false;  // is in changed_
    bool touched = false;  // is in touched_
  };
  struct Waiting {
    int64_t frequency;
    uint32_t pair;
  };

  Entry& at(uint32_t pair) {
    if (pair >= entries_.size()) entries_.resize(pair + 1);
    return entries_[pair];
  }
  bool rare(const Entry& entry) const { return static_cast<double>(entry.frequency) < threshold_; }
  bool before(const Waiting& a, const Waiting& b) const;
  auto order() const {
    return [this](const Waiting& a, const Waiting& b) { return before(a, b); };
  }
  void push(uint32_t pair);
  std::optional<uint32_t> top();
  uint32_t refill(int64_t merge);
  static void take_out(Entry& entry);

  const StringTable& symbols_;
  const PairTable& pairs_;
  std::vector<Entry> entries_;     // by pair number
  std::vector<uint32_t> changed_;  // since the last best()
  std::vector<uint32_t> touched_;  // since rare pairs were last removed
  std::vector<Waiting> queue_;     // a heap; outdated entries are corrected when they reach the top
  double threshold_ = 0;
};

}  // namespace heed::text
