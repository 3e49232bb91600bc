// The lines of pairs. The N-th pair is not always on line N: a file may have a header, and units of a translation
// memory may be left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace heed::curation {

class LineNumbers {
 public:
  /// Adds the line of the next pair, from 1.
  void add(int64_t line) {
    const int64_t distance = line - pairs_++;
    if (distances_.empty() || distances_.back().second != distance) distances_.emplace_back(pairs_ - 1, distance);
  }
  /// The line of a pair. pair: counted from 0.
  int64_t of(int64_t pair) const {
    const auto next = std::ranges::upper_bound(distances_, pair, {}, &std::pair<int64_t, int64_t>::first);
    return pair + std::prev(next)->second;
  }

 private:
  int64_t pairs_ = 0;
  std::vector<std::pair<int64_t, int64_t>> distances_;  // from this pair on, the line minus the pair
};

}  // namespace heed::curation
