#include "heed/search/coverage.h"

#include <algorithm>
#include <cmath>

namespace heed::search {

double coverage(std::span<const std::span<const float>> attention, int64_t positions) {
  double penalty = 0;
  for (size_t i = 0; i < static_cast<size_t>(positions); ++i) {
    double sum = 0;
    for (const std::span<const float> row : attention) sum += static_cast<double>(row[i]);
    penalty += std::log(std::clamp(sum, kLeastCoverage, 1.0));
  }
  return penalty;
}

}  // namespace heed::search
