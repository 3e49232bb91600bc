#include "heed/curation/survey/line_shift.h"

#include <algorithm>
#include <cmath>

namespace heed::curation {
namespace {

constexpr size_t kKept = 5 * LineShiftFinder::kWindow;  // pairs before the current window in which a shift may begin

}  // namespace

void LineShiftFinder::add(int64_t line, int64_t source, int64_t target) {
  kept_.push_back({.line = line,
                   .source = std::log1p(static_cast<double>(source)),
                   .target = std::log1p(static_cast<double>(target))});
  if (kept_.size() < begin_ + kWindow + kMostOffset) return;
  judge_window(kWindow);
  begin_ += kWindow;
  if (begin_ < kKept) return;
  kept_.erase(kept_.begin(), kept_.begin() + kWindow);
  begin_ -= kWindow;
}

void LineShiftFinder::finish() {
  const size_t left = kept_.size() - begin_;
  if (left >= kWindow / 2) judge_window(left);
}

/// The correlation of the lengths in the window of `count` pairs; 0 if one side's do not vary.
double LineShiftFinder::correlation(size_t count, int64_t offset) const {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = begin_; i < begin_ + count; ++i) {
    const int64_t other = static_cast<int64_t>(i) + offset;
    if (other < 0 || other >= std::ssize(kept_)) continue;
    const double source = kept_[i].source, target = kept_[static_cast<size_t>(other)].target;
    n += 1;
    x += source;
    y += target;
    xx += source * source;
    yy += target * target;
    xy += source * target;
  }
  const double variances = (n * xx - x * x) * (n * yy - y * y);
  return variances > 1e-9 ? (n * xy - x * y) / std::sqrt(variances) : 0;
}

/// Two windows in a row must fit another offset clearly better.
void LineShiftFinder::judge_window(size_t count) {
  constexpr double kLeast = 0.4;    // 4 standard deviations of the correlation of 100 independent pairs
  constexpr double kClearly = 0.3;  // better than the present offset
  int64_t best = offset_;
  double most = std::max(kLeast, correlation(count, offset_) + kClearly);
  for (int64_t offset = -kMostOffset; offset <= kMostOffset; ++offset) {
    const double found = correlation(count, offset);
    if (found <= most) continue;
    most = found;
    best = offset;
  }
  if (best != offset_ && best == window_before_) {
    shifts_.push_back({.line = kept_[turning_point(best)].line, .offset = best});
    offset_ = best;
  }
  window_before_ = best;
}

/// How badly the lengths of a pair fit. usual: the usual difference.
double LineShiftFinder::misfit(size_t pair, int64_t offset, double usual) const {
  const int64_t other = std::clamp<int64_t>(static_cast<int64_t>(pair) + offset, 0, std::ssize(kept_) - 1);
  const double difference = kept_[static_cast<size_t>(other)].target - kept_[pair].source - usual;
  return difference * difference;
}

/// The line before the current window from which on the new offset fits better than the old one.
size_t LineShiftFinder::turning_point(int64_t offset) const {
  double usual = 0;
  for (const Lengths& pair : kept_) usual += (pair.target - pair.source) / static_cast<double>(kept_.size());
  size_t best = begin_;
  double sum = 0, least = 0;
  for (size_t pair = begin_; pair > 0; --pair) {
    sum += misfit(pair - 1, offset, usual) - misfit(pair - 1, offset_, usual);
    if (sum >= least) continue;
    least = sum;
    best = pair - 1;
  }
  return best;
}

}  // namespace heed::curation
