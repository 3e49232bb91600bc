// Decodes and encodes PNG files with 8 bits per channel. Wraps libpng: throws exceptions instead of using longjmp.
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
  int64_t channels = 0;         ///< 1: gray; 2: gray, alpha; 3: red, green, blue; 4: red, green, blue, alpha
  std::vector<uint8_t> pixels;  ///< [height, width, channels]
};

/// Palettes are expanded. Fewer bits become 8, and 16 bits are rounded to 8. Throws InputError, naming `path`, if the
/// bytes are not a PNG file, or are truncated or damaged.
PngPixels read_png(std::span<const std::byte> bytes, const std::string& path);

/// Encodes an image with 1 or 3 channels as a PNG file.
std::string write_png(const PngPixels& picture);

}  // namespace heed::media
