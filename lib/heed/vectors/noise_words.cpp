#include "heed/vectors/noise_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace heed::vectors {

NoiseWords::NoiseWords(const std::vector<int64_t>& counts) {
  double sum = 0;
  for (const int64_t count : counts) sums_.push_back(sum += std::pow(static_cast<double>(count), 0.75));
}

int32_t NoiseWords::draw(RandomStream& random) const {
  const auto found = std::ranges::upper_bound(sums_, random.uniform() * sums_.back());
  return static_cast<int32_t>(std::min<int64_t>(found - sums_.begin(), std::ssize(sums_) - 1));
}

}  // namespace heed::vectors
