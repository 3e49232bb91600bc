// Reads and resamples audio in the formats of libsndfile: WAV, FLAC, Ogg, AIFF, MP3 and more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::media {

struct Sound {
  int64_t rate = 0;            ///< samples per second
  std::vector<float> samples;  ///< from -1 to 1 for integer formats; float formats may exceed this
};

/// Reads an audio file; several channels are averaged. A file without a length, because a program wrote it into a pipe,
/// is read to its end. Throws FileError. Throws InputError, naming `path`, if the file is not audio in a known format,
/// is truncated or damaged, has no samples, or has one that is not finite.
Sound read_sound(const std::string& path);

/// Resamples to `rate` samples per second with libsamplerate's band-limited interpolation: SRC_SINC_MEDIUM_QUALITY, a
/// windowed sinc, 121 dB, the lowest 90 % of the band that both rates have (Smith,
/// https://ccrma.stanford.edu/~jos/resample). The duration stays the same, rounded up to whole samples. Throws
/// InputError if one rate is more than 256 times the other.
Sound resampled(const Sound& sound, int64_t rate);

}  // namespace heed::media
