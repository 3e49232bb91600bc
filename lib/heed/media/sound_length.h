// The length of an audio file according to its header.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace heed::media {

/// Throws InputError, naming `path`, if the file has fewer bytes than its header says: libsndfile reads such a file as
/// if it were whole. Looks at WAV, AIFF and AU; the other formats tell libsndfile where they end. A program that wrote
/// into a pipe knew no length, and wrote a huge one (FFmpeg, SoX, eSpeak) or none.
void check_whole(std::span<const std::byte> bytes, const std::string& path);

/// The place of the four bytes that say that a WAV or AU file has no samples although samples follow: a program that
/// wrote into a pipe left the 0 that it began with (GStreamer, Python's `wave`). None: the length is right or huge.
std::optional<size_t> unwritten_length(std::span<const std::byte> bytes);

}  // namespace heed::media
