// Pictures from files in the PNG format (https://www.w3.org/TR/png-3) and back, by libpng.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heed::media {

enum class PictureColor { Gray, Rgb };
constexpr auto option_names(PictureColor) {
  return std::array{std::pair{PictureColor::Gray, "gray"}, std::pair{PictureColor::Rgb, "rgb"}};
}

struct Picture {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;         ///< 1 (gray) or 3 (red, green, blue)
  std::vector<uint8_t> pixels;  ///< [height, width, channels], the top row first
  bool operator==(const Picture&) const = default;
};

/// Reads a PNG file of any kind. The numbers in the file count as they are, whatever it says of gamma and color spaces.
/// 16 bits become 8, rounded to nearest; a transparent pixel is laid on white: alpha c + (1 - alpha) 255; a color
/// becomes gray as in Pillow and OpenCV: 0.299 red + 0.587 green + 0.114 blue (ITU-R BT.601). Throws FileError;
/// InputError, naming `path`, where the file is no PNG file, is cut off or damaged.
Picture read_picture(const std::string& path, PictureColor color);

/// Writes a picture of 1 or 3 channels atomically. Throws FileError.
void write_picture(const std::string& path, const Picture& picture);

}  // namespace heed::media
