// Sets of lines that are joined until no line is in two of them (union-find).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace heed::curation {

class DisjointSets {
 public:
  /// Each of the lines 0 to count - 1 is a set by itself.
  explicit DisjointSets(int64_t count) : parents_(static_cast<size_t>(count)) {
    std::iota(parents_.begin(), parents_.end(), int64_t{0});
  }

  /// The first line of the set that has `line`.
  int64_t find(int64_t line) {
    while (parent(line) != line) line = parent(line) = parent(parent(line));
    return line;
  }
  void join(int64_t a, int64_t b) {
    const int64_t of_a = find(a), of_b = find(b);
    parent(std::max(of_a, of_b)) = std::min(of_a, of_b);
  }

 private:
  int64_t& parent(int64_t line) { return parents_[static_cast<size_t>(line)]; }

  std::vector<int64_t> parents_;
};

}  // namespace heed::curation
