#include "heed/curation/learned/length_model.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace heed::curation {
namespace {

constexpr double kAdded = 2;  // characters: a line of one character may become three
constexpr double kLeastDeviation =
    0.12;  // of the logarithm: in text with little variation, small differences still are usual
constexpr double kUnknownDeviation = 0.5;

double log_ratio(int64_t source, int64_t target) {
  return std::log((static_cast<double>(target) + kAdded) / (static_cast<double>(source) + kAdded));
}

}  // namespace

LengthModel::LengthModel(std::span<const std::pair<int64_t, int64_t>> lengths) {
  std::vector<std::pair<int64_t, double>> ratios;
  std::vector<double> all;
  for (const auto& [source, target] : lengths) {
    ratios.emplace_back((source + target) / 2, log_ratio(source, target));
    all.push_back(ratios.back().second);
  }
  median_ = median_of(all);
  spreads_ = SpreadByLength(ratios, {.median = median_, .deviation = kUnknownDeviation});
}

double LengthModel::deviation(int64_t source, int64_t target) const {
  const Spread& spread = spreads_.at((source + target) / 2);
  return (log_ratio(source, target) - spread.median) / std::max(spread.deviation, kLeastDeviation);
}

double LengthModel::ratio() const { return std::exp(median_); }

}  // namespace heed::curation
