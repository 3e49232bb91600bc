// How long a translation is, given its source (Gale and Church 1993, https://aclanthology.org/J93-1004, who model the
// ratio of the characters). Here the logarithm of the ratio has a median and a deviation for each range of lengths,
// learned from a sample, so that short lines may differ more.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "heed/curation/learned/robust_statistics.h"

namespace heed::curation {

class LengthModel {
 public:
  /// lengths: characters of source and target of each pair.
  explicit LengthModel(std::span<const std::pair<int64_t, int64_t>> lengths);

  /// By how many deviations the target is longer than usual; negative: shorter.
  double deviation(int64_t source, int64_t target) const;
  /// The usual ratio of target to source.
  double ratio() const;

 private:
  SpreadByLength spreads_;  // of the logarithm of the ratio, by the mean length of the sides
  double median_ = 0;
};

}  // namespace heed::curation
