// Charts of a page: SVG whose colors are variables of the page's style sheet, so that they fit light and dark screens.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/curation/report/data_report.h"

namespace heed::curation {

enum class BarScale { Linear, Logarithmic };

/// A histogram of one or two sides, next to each other.
struct HistogramChart {
  std::string_view x_label;
  std::vector<const Histogram*> sides;       ///< one, or source and target
  std::function<std::string(double)> label;  ///< of the beginning of a range
  size_t label_every = 5;                    ///< ranges
  BarScale scale = BarScale::Linear;
};
std::string histogram_chart(const HistogramChart& chart);

/// The numbers of pairs by the words of both sides: the more pairs, the darker.
std::string joint_lengths_chart(const DataReport& report);

/// Small bars: how many pairs each part of the corpus has. label: for screen readers.
std::string position_chart(std::span<const int64_t> counts, std::string_view label);

/// A bar that is `share` (0 to 1) full.
std::string share_bar(double share);

}  // namespace heed::curation
