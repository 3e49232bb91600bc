#include "heed/media/image.h"

#include <cstddef>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/mapped_file.h"
#include "heed/media/png_file.h"

namespace heed::media {
namespace {

/// A pixel of a file, already blended with white.
struct Color {
  uint32_t red = 0, green = 0, blue = 0;
};

/// Blends with white, rounded to the nearest.
uint32_t on_white(uint32_t value, uint32_t alpha) { return (value * alpha + 255 * (255 - alpha) + 127) / 255; }

Color color_of(const uint8_t* pixel, int64_t channels) {
  const bool gray = channels <= 2;
  const uint32_t alpha = channels % 2 == 0 ? pixel[channels - 1] : 255;
  return {.red = on_white(pixel[0], alpha),
          .green = on_white(pixel[gray ? 0 : 1], alpha),
          .blue = on_white(pixel[gray ? 0 : 2], alpha)};
}

/// 0.299 red + 0.587 green + 0.114 blue, in units of 1/65536, as Pillow computes it.
uint8_t gray_of(const Color& color) {
  return static_cast<uint8_t>((19595 * color.red + 38470 * color.green + 7471 * color.blue + 0x8000) >> 16);
}

}  // namespace

Image read_image(const std::string& path, ImageColor color) {
  const PngPixels file = read_png(MappedFile(path).bytes(), path);
  Image picture{
      .height = file.height, .width = file.width, .channels = color == ImageColor::Gray ? 1 : 3, .pixels = {}};
  picture.pixels.reserve(static_cast<size_t>(file.height * file.width * picture.channels));
  for (size_t i = 0; i < file.pixels.size(); i += static_cast<size_t>(file.channels)) {
    const Color read = color_of(&file.pixels[i], file.channels);
    if (color == ImageColor::Gray) {
      picture.pixels.push_back(gray_of(read));
    } else {
      for (const uint32_t value : {read.red, read.green, read.blue}) {
        picture.pixels.push_back(static_cast<uint8_t>(value));
      }
    }
  }
  return picture;
}

void write_picture(const std::string& path, const Image& picture) {
  check(picture.height >= 1 && picture.width >= 1 && (picture.channels == 1 || picture.channels == 3),
        "write_picture: an image has pixels of 1 or 3 channels");
  check(picture.pixels.size() == static_cast<size_t>(picture.height * picture.width * picture.channels),
        "write_picture: the pixels must fit the size");
  write_file(
      path,
      write_png(
          {.height = picture.height, .width = picture.width, .channels = picture.channels, .pixels = picture.pixels}));
}

}  // namespace heed::media
