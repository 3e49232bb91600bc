// A PNG file's pixels as they are in it, of 8 bits: libpng behind an interface that throws, where it jumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heed::media {

struct PngPixels {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;         ///< gray, gray and alpha, red green blue, or red green blue and alpha
  std::vector<uint8_t> pixels;  ///< [height, width, channels]
};

/// Palettes and fewer bits become 8 bits, 16 are rounded to 8. Throws InputError, naming `path`, where the bytes are no
/// PNG file, cut off or damaged.
PngPixels read_png(std::span<const std::byte> bytes, const std::string& path);

/// The PNG file of a picture with 1 or 3 channels of 8 bits.
std::string write_png(const PngPixels& picture);

}  // namespace heed::media
