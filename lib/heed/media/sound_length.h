// The length of an audio file according to its header.
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
void check_whole(std::span<const std::byte> bytes, const std::string& path);

/// A length that a program that wrote into a pipe left as it began, so that libsndfile finds no samples.
struct UnwrittenLength {
  size_t at;          ///< its place in the file
  std::string bytes;  ///< what libsndfile reads all samples with
};
/// Of WAV, RF64 and AU: 0 although samples follow (GStreamer, Python's `wave`), of RF64 a huge one too; of CAF: the -1
/// of a recording that was not closed. None: the length is right, or libsndfile reads the file as it is.
std::optional<UnwrittenLength> unwritten_length(std::span<const std::byte> bytes);

}  // namespace heed::media
