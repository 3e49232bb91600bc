// Reads and writes images in the PNG format (https://www.w3.org/TR/png-3), with libpng.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heed::media {

enum class ImageColor { Gray, Rgb };
constexpr auto option_names(ImageColor) {
  return std::array{std::pair{ImageColor::Gray, "gray"}, std::pair{ImageColor::Rgb, "rgb"}};
}

struct Image {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;         ///< 1 (gray) or 3 (red, green, blue)
  std::vector<uint8_t> pixels;  ///< [height, width, channels], top row first
  bool operator==(const Image&) const = default;
};

/// Reads a PNG file of any type as 8-bit pixels. Values are used as stored; gamma and color spaces are ignored. 16 bits
/// are rounded to 8. Transparent pixels are blended with white: alpha c + (1 - alpha) 255. Gray is 0.299 red + 0.587
/// green + 0.114 blue (ITU-R BT.601), as in Pillow and OpenCV. Throws FileError; InputError, naming `path`, if the file
/// is not a PNG file, or is truncated or damaged.
Image read_image(const std::string& path, ImageColor color);

/// Writes an image with 1 or 3 channels atomically. Throws FileError.
void write_picture(const std::string& path, const Image& picture);

}  // namespace heed::media
