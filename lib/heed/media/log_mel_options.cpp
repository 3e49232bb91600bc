#include "heed/media/log_mel_options.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/media/mel_filters.h"

namespace heed::media {
namespace {

int64_t in_samples(double milliseconds, int64_t rate) {
  return std::max<int64_t>(1, std::llround(milliseconds * static_cast<double>(rate) / 1000));
}

}  // namespace

int64_t LogMelOptions::window() const { return in_samples(window_ms, rate); }
int64_t LogMelOptions::hop() const { return in_samples(hop_ms, rate); }
int64_t LogMelOptions::transform_size() const {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window())));
}

void validate(const LogMelOptions& options) {
  const double half = static_cast<double>(options.rate) / 2;
  if (options.highest() > half) {
    throw ConfigError("high", fmt::format("must be at most half the rate, {} Hz, found {}", half, options.highest()));
  }
  if (options.low >= options.highest()) {
    throw ConfigError("low", fmt::format("must be below `high`, {} Hz, found {}", options.highest(), options.low));
  }
  const std::vector<MelFilter> filters = mel_filters(options);
  const auto empty = std::ranges::find_if(filters, [](const MelFilter& filter) { return filter.weights.empty(); });
  if (empty == filters.end()) return;
  throw ConfigError("mels", fmt::format("must be fewer than {} for a window of {} samples: filter {} has no frequency",
                                        options.mels, options.window(), empty - filters.begin() + 1));
}

}  // namespace heed::media
