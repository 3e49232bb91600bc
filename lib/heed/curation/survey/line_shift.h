// Finds where the lines of the sides stop fitting each other because a line is missing or doubled on one side: all
// pairs after it are wrong. A translation of a long line is long, so the lengths of both sides correlate if the lines
// belong together, and hardly if they are shifted (Gale and Church 1993, https://aclanthology.org/J93-1004). Nothing is
// learned, so a text that is shifted from its first line on is found too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::curation {

/// From a line on, another offset fits. An offset of 1: line N of the source fits line N + 1 of the target.
struct LineShift {
  int64_t line = 0;  ///< roughly: the lengths of a few lines may fit both
  int64_t offset = 0;
  bool operator==(const LineShift&) const = default;
};

class LineShiftFinder {
 public:
  static constexpr int64_t kMostOffset = 2;
  static constexpr size_t kWindow = 100;  ///< pairs whose lengths are correlated

  /// Adds the next pair: its line and the characters of its sides.
  void add(int64_t line, int64_t source, int64_t target);
  /// Call it after the last add().
  void finish();
  const std::vector<LineShift>& shifts() const { return shifts_; }

 private:
  struct Lengths {
    int64_t line;
    double source, target;  // logarithms
  };
  double correlation(size_t count, int64_t offset) const;
  void judge_window(size_t count);
  double misfit(size_t pair, int64_t offset, double usual) const;
  size_t turning_point(int64_t offset) const;

  std::vector<Lengths> kept_;  // of the last windows
  size_t begin_ = 0;           // of the current window in `kept_`
  int64_t offset_ = 0;         // that fits so far
  int64_t window_before_ = 0;  // the offset that fits the window before best
  std::vector<LineShift> shifts_;
};

}  // namespace heed::curation
