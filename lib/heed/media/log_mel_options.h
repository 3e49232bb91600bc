// The options of log-mel frames of audio (log_mel.h).
#pragma once

#include <cstdint>
#include <optional>

#include "heed/core/options.h"

namespace heed::media {

struct LogMelOptions {
  int64_t rate = 16000;                       ///< samples per second; audio with another rate is resampled
  double window_ms = 25;                      ///< length of a frame's window
  double hop_ms = 10;                         ///< distance between frames
  int64_t mels = 80;                          ///< numbers per frame
  double low = 0;                             ///< Hz, lower end of the lowest filter
  std::optional<double> high = std::nullopt;  ///< Hz, upper end of the highest filter; absent: half the rate
  bool operator==(const LogMelOptions&) const = default;

  /// In samples, rounded to the nearest.
  int64_t window() const;
  int64_t hop() const;
  /// The size of the Fourier transform in samples: the smallest power of two that holds a window.
  int64_t transform_size() const;
  double highest() const { return high.value_or(static_cast<double>(rate) / 2); }
};
void describe(LogMelOptions& o, AnyOptionVisitor auto& visit) {
  visit("rate", o.rate, "samples per second; audio of another rate is resampled", between(1000, 1000000));
  visit("window", o.window_ms, "length of the window of a frame, in milliseconds", between(1, 1000));
  visit("hop", o.hop_ms, "from one frame to the next, in milliseconds", between(1, 1000));
  visit("mels", o.mels, "mel filters: numbers of a frame", between(1, 1000));
  visit("low", o.low, "lower end of the lowest filter, in Hz", at_least(0));
  visit("high", o.high, "upper end of the highest filter, in Hz; none: half the rate", above(0));
}

/// Throws ConfigError in three cases: filters extend above half the rate, their end is below their beginning, or they
/// are so dense that a filter contains no frequency of the transform.
void validate(const LogMelOptions& options);

}  // namespace heed::media
