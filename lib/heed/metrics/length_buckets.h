// Groups the lines of a test set by sentence length, to show how scores depend on it (Bahdanau et al. 2015,
// https://arxiv.org/abs/1409.0473, Figure 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The lines with lengths in [first, last]; last absent: no upper limit.
struct LengthBucket {
  int64_t first = 0;
  std::optional<int64_t> last;
  std::vector<size_t> lines;

  /// "11-20", "31+"
  std::string name() const;
};

/// Groups the lines into buckets 0 to width, width + 1 to 2 width and so on, from the shortest to the longest line.
/// With `longest`, the last bucket has all longer lines. A bucket between others may be empty. width: at least 1;
/// longest: a multiple of width.
std::vector<LengthBucket> length_buckets(std::span<const int64_t> lengths, int64_t width,
                                         std::optional<int64_t> longest = {});

/// The statistics of these lines.
CorpusStatistics rows_of(const CorpusStatistics& statistics, std::span<const size_t> lines);

}  // namespace heed::metrics
