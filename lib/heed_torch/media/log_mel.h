// Log-mel frames: the energy of audio over time, in frequency bands as wide as those of human hearing.
//   X_t(k) = |sum_n w(n) x(t hop + n - N/2) exp(-2 pi i k n / N)|^2     power spectrum of frame t
//   y_t(m) = ln max(sum_k filter_m(k) X_t(k), 1e-10)
// The filters are those of mel_filters.h, and N is the size of the transform. w is a periodic Hann window of the
// window's length, centered in N, 0 elsewhere. x = 0 outside of the audio. Except for the logarithm and its minimum,
// this equals librosa's (https://librosa.org) feature.melspectrogram(y=x, sr=rate, n_fft=N, win_length=window,
// hop_length=hop, n_mels=mels, fmin=low, fmax=high).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/parallel.h"
#include "heed/media/audio.h"
#include "heed/media/log_mel_options.h"
#include "heed/media/mel_filters.h"

namespace heed::media {

/// The number of frames for `samples` samples: one at each hop, starting at the first sample.
int64_t frame_count(int64_t samples, const LogMelOptions& options);

class LogMel {
 public:
  /// Throws ConfigError, like validate().
  explicit LogMel(const LogMelOptions& options);

  /// The frames [frames, mels] of audio, which is resampled if its rate differs. Any number of threads may call it; the
  /// result is bit-identical. Throws InputError if the rates are too different for resampling.
  std::vector<float> operator()(const Audio& sound) const;
  const LogMelOptions& options() const { return options_; }

 private:
  LogMelOptions options_;
  std::vector<double> window_;  // padded to the size of the transform
  std::vector<MelFilter> filters_;
};

/// The same for one audio signal.
std::vector<float> log_mel(const Audio& sound, const LogMelOptions& options);

/// Converts a list of audio files, one path per line, to one file of vectors, as image_list.h does for images. Each
/// audio file becomes a sequence of log-mel frames of type F32. Throws ConfigError for the options;
/// FileError; InputError, with list, line and reason, if a line is empty or read_audio() cannot read its file. If it
/// throws, no output file appears.
void convert_sounds(const std::string& list, const std::string& vectors, const LogMelOptions& options,
                    int64_t threads = available_cores());

}  // namespace heed::media
