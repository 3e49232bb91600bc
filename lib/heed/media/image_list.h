// Converts lists of images, one path per line, to one file of vectors (core/files/vector_file.h). The image on line N
// of a list is the source for line N of the target text. list_conversion.h describes lists.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/options.h"
#include "heed/core/parallel.h"
#include "heed/media/image.h"

namespace heed::media {

struct ImageListOptions {
  ImageColor color = ImageColor::Gray;  ///< 1 or 3 numbers per pixel
  bool operator==(const ImageListOptions&) const = default;
};
void describe(ImageListOptions& o, AnyOptionVisitor auto& visit) {
  visit("color", o.color, "gray is one number a pixel, rgb three: red, green and blue");
}

/// Each image becomes a grid [height, width] of pixels, type U8. Throws FileError; InputError with list, line and
/// reason if a line is empty or read_image() cannot read its file. In this case no file is written.
void convert_images(const std::string& list, const std::string& vectors, const ImageListOptions& options,
                    int64_t threads = available_cores());

}  // namespace heed::media
