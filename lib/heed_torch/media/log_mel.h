// Log-mel frames: how loud a sound is, through time, in bands that are as wide as the ear's.
//   X_t(k) = |sum_n w(n) x(t hop + n - N/2) exp(-2 pi i k n / N)|^2     power spectrum of frame t
//   y_t(m) = ln max(sum_k filter_m(k) X_t(k), 1e-10)
// with filters as in mel_filters.h, N the transform's size, w a periodic Hann window of the window's length in the
// middle of N, else 0, and x = 0 where there is no sound. But for the logarithm and its floor that is librosa's
// (https://librosa.org) feature.melspectrogram(y=x, sr=rate, n_fft=N, win_length=window, hop_length=hop, n_mels=mels,
// fmin=low, fmax=high).
#pragma once

#include <cstdint>
#include <vector>

#include "heed/media/log_mel_options.h"
#include "heed/media/mel_filters.h"
#include "heed/media/sound.h"

namespace heed::media {

/// Frames of `samples` samples: one at each hop, from the first sample on.
int64_t frame_count(int64_t samples, const LogMelOptions& options);

class LogMel {
 public:
  /// Throws ConfigError, as validate() does.
  explicit LogMel(const LogMelOptions& options);

  /// [frames, mels] of a sound, which is resampled where it has another rate. Any number of threads may call it; each
  /// gets the same bits. Throws InputError where the rates are too far apart for that.
  std::vector<float> operator()(const Sound& sound) const;
  const LogMelOptions& options() const { return options_; }

 private:
  LogMelOptions options_;
  std::vector<double> window_;  // of the transform's size
  std::vector<MelFilter> filters_;
};

/// The same of one sound.
std::vector<float> log_mel(const Sound& sound, const LogMelOptions& options);

}  // namespace heed::media
