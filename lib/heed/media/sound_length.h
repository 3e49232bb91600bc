// Checks the length in the header of an audio file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace heed::media {

/// Throws InputError, naming `path`, if the file has fewer bytes than its header says: libsndfile reads such a file as
/// if it were whole. Looks at WAV (RIFF, RF64, Wave64), AIFF, 8SVX, AU, CAF and NIST SPHERE. FLAC, Ogg and MP3
/// tell libsndfile where they end, and it compares HTK's length; headers of IRCAM, PAF and PVF hold none. A program
/// that wrote into a pipe knew no length, and wrote a huge one (FFmpeg, SoX, eSpeak) or none.
void check_not_truncated(std::span<const std::byte> bytes, const std::string& path);

/// A length that a program could not fill in because it wrote into a pipe. libsndfile then finds no samples.
struct MissingLength {
  size_t at;          ///< offset of the length in the file
  std::string bytes;  ///< replacement with which libsndfile reads all samples
};
/// Finds such a length. WAV, RF64 and AU: 0 although samples follow (GStreamer, Python's `wave`); RF64: also a huge
/// length. CAF: -1, from a recording that was not closed. None: the length is right, or libsndfile can read the file.
std::optional<MissingLength> unwritten_length(std::span<const std::byte> bytes);

}  // namespace heed::media
