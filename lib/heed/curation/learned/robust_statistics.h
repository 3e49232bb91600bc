// The median and the spread of values, some of them wrong.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heed::curation {

struct Spread {
  double median = 0;
  double deviation = 0;  ///< the median distance from the median, scaled to the standard deviation of a normal
                         ///< distribution
};

/// The median; 0 without values. Changes the order of the values.
inline double median_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

inline Spread spread_of(std::vector<double> values) {
  constexpr double kOfNormal = 1.4826;
  Spread spread{.median = median_of(values)};
  for (double& value : values) value = std::abs(value - spread.median);
  spread.deviation = kOfNormal * median_of(values);
  return spread;
}

/// The spread of a value of texts, for ranges of their lengths (powers of two): values of short texts vary more.
class SpreadByLength {
 public:
  SpreadByLength() = default;
  /// values: lengths, of at least 0, and values. otherwise: for ranges with too few values.
  SpreadByLength(std::span<const std::pair<int64_t, double>> values, const Spread& otherwise) {
    constexpr size_t kEnoughValues = 30;
    std::array<std::vector<double>, kRanges> by_range;
    for (const auto& [length, value] : values) by_range[range_of(length)].push_back(value);
    for (size_t i = 0; i < kRanges; ++i) {
      ranges_[i] = by_range[i].size() >= kEnoughValues ? spread_of(by_range[i]) : otherwise;
    }
  }
  const Spread& at(int64_t length) const { return ranges_[range_of(length)]; }
  /// By how many deviations of texts of this length a value is above their median; 0 if their deviation is 0.
  double deviation(int64_t length, double value) const {
    const Spread& spread = at(length);
    return spread.deviation > 0 ? (value - spread.median) / spread.deviation : 0;
  }

 private:
  static constexpr size_t kRanges = 14;
  static size_t range_of(int64_t length) {
    return std::min<size_t>(static_cast<size_t>(std::bit_width(static_cast<uint64_t>(length))), kRanges - 1);
  }

  std::array<Spread, kRanges> ranges_;
};

}  // namespace heed::curation
