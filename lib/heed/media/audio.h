// Reads and resamples audio in the formats of libsndfile: WAV, FLAC, Ogg, AIFF, MP3 and more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::media {

struct Audio {
  int64_t rate = 0;            ///< samples per second
  std::vector<float> samples;  ///< from -1 to 1 for integer formats; float formats may exceed this
};

/// Reads an audio file; several channels are averaged. A file without a length, because a program wrote it into a pipe,
/// is read to its end. Throws FileError. Throws InputError, naming `path`, if the file is not audio in a known format,
/// is truncated or damaged, has no samples, or has one that is not finite.
Audio read_audio(const std::string& path);

/// Resamples to `rate` samples per second with libsamplerate's band-limited interpolation: SRC_SINC_MEDIUM_QUALITY, a
/// windowed sinc, 121 dB, the lowest 90 % of the band that both rates have (Smith,
/// https://ccrma.stanford.edu/~jos/resample). The duration stays the same, rounded up to whole samples. Throws
/// InputError if one rate is more than 256 times the other.
Audio resampled(const Audio& sound, int64_t rate);

/// Checks the length in the header of an audio file. Throws InputError, naming `path`, if the file has fewer bytes than
/// its header says: libsndfile reads such a file as if it were whole. Looks at WAV (RIFF, RF64, Wave64), AIFF, 8SVX,
/// AU, CAF and NIST SPHERE. FLAC, Ogg and MP3 tell libsndfile where they end, and it compares HTK's length; headers of
/// IRCAM, PAF and PVF hold none. A program that wrote into a pipe knew no length, and wrote a huge one (FFmpeg, SoX,
/// eSpeak) or none.
void check_not_truncated(std::span<const std::byte> bytes, const std::string& path);

/// A length that a program could not fill in because it wrote into a pipe. libsndfile then finds no samples.
struct MissingLength {
  size_t at;          ///< offset of the length in the file
  std::string bytes;  ///< replacement with which libsndfile reads all samples
};
/// Finds such a length in the header. WAV, RF64 and AU: 0 although samples follow (GStreamer, Python's `wave`); RF64:
/// also a huge length. CAF: -1, from a recording that was not closed. None: the length is right, or libsndfile can read
/// the file.
std::optional<MissingLength> unwritten_length(std::span<const std::byte> bytes);

}  // namespace heed::media
