#include "heed/media/mel_filters.h"

#include <algorithm>
#include <cmath>

namespace heed::media {
namespace {

constexpr double kHertzOfMel = 200.0 / 3;  // in the linear range
constexpr double kBreak = 1000, kMelOfBreak = kBreak / kHertzOfMel;
const double kLogStep = std::log(6.4) / 27;

MelFilter triangle(double low, double middle, double high, const LogMelOptions& options) {
  const double step = static_cast<double>(options.rate) / static_cast<double>(options.transform_size());
  MelFilter filter;
  for (int64_t i = 0; i <= options.transform_size() / 2; ++i) {
    const double hertz = step * static_cast<double>(i);
    const double height = std::min((hertz - low) / (middle - low), (high - hertz) / (high - middle));
    if (height <= 0) continue;
    if (filter.weights.empty()) filter.first = i;
    filter.weights.push_back(2 * height / (high - low));
  }
  return filter;
}

}  // namespace

double mel_of(double hertz) {
  return hertz < kBreak ? hertz / kHertzOfMel : kMelOfBreak + std::log(hertz / kBreak) / kLogStep;
}

double hertz_of(double mel) {
  return mel < kMelOfBreak ? mel * kHertzOfMel : kBreak * std::exp(kLogStep * (mel - kMelOfBreak));
}

std::vector<MelFilter> mel_filters(const LogMelOptions& options) {
  const double lowest = mel_of(options.low), highest = mel_of(options.highest());
  const auto edge = [&](int64_t i) {
    return hertz_of(lowest + (highest - lowest) * static_cast<double>(i) / static_cast<double>(options.mels + 1));
  };
  std::vector<MelFilter> filters;
  for (int64_t m = 0; m < options.mels; ++m) {
    filters.push_back(triangle(edge(m), edge(m + 1), edge(m + 2), options));
  }
  return filters;
}

}  // namespace heed::media
