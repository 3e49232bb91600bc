#include "heed/metrics/bleu/bleu_statistics.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace heed::metrics {

int64_t closest_length(int64_t length, std::span<const Tokens> references, int64_t farthest) {
  int64_t closest = farthest;
  int64_t least = farthest;
  for (const Tokens& reference : references) {
    const auto other = static_cast<int64_t>(reference.size());
    const int64_t difference = std::abs(length - other);
    if (difference < least)
      closest = other;
    else if (difference == least)
      closest = std::min(closest, other);
    least = std::min(least, difference);
  }
  return closest;
}

void write_bleu_statistics(NgramMatcher& matcher, const Tokens& hypothesis, std::span<const Tokens> references,
                           int64_t reference_length, std::span<double> statistics) {
  const auto length = static_cast<int64_t>(hypothesis.size());
  std::array<int64_t, kBleuOrder> correct{};
  matcher.count(hypothesis, references, correct);
  statistics[0] = static_cast<double>(length);
  statistics[1] = static_cast<double>(reference_length);
  for (size_t n = 0; n < kBleuOrder; ++n) {
    statistics[2 + n] = static_cast<double>(correct[n]);
    statistics[2 + kBleuOrder + n] = static_cast<double>(std::max<int64_t>(0, length - static_cast<int64_t>(n)));
  }
}

}  // namespace heed::metrics
