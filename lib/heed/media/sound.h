// Sounds from files of the formats that libsndfile reads: WAV, FLAC, Ogg, AIFF, MP3 and more; and their rate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::media {

struct Sound {
  int64_t rate = 0;            ///< samples a second
  std::vector<float> samples;  ///< from -1 to 1 where the file has whole numbers; a file of floats may go beyond
};

/// Reads a sound; several channels become their mean. If the file does not say how long it is, since a program wrote it
/// into a pipe, it is read to its end. Throws FileError; InputError, naming `path`, where the file is no sound of a
/// known format, is cut off or damaged, has no samples or one that is not finite.
Sound read_sound(const std::string& path);

/// The sound with `rate` samples a second, by libsamplerate's band-limited interpolation (SRC_SINC_MEDIUM_QUALITY:
/// windowed sinc, 121 dB, the lowest 90 % of the band that both rates have; Smith,
/// https://ccrma.stanford.edu/~jos/resample). As long as before, rounded up to whole samples.
/// Throws InputError where one rate is more than 256 times the other.
Sound resampled(const Sound& sound, int64_t rate);

}  // namespace heed::media
