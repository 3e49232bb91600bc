// Lists of pictures, one path a line, made one file of vectors (core/files/vector_file.h): the picture on line N of a
// list is the source of line N of the target text. list_conversion.h tells what a list is.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/options.h"
#include "heed/core/parallel.h"
#include "heed/media/picture.h"

namespace heed::media {

struct PictureListOptions {
  PictureColor color = PictureColor::Gray;  ///< 1 or 3 numbers a pixel
  bool operator==(const PictureListOptions&) const = default;
};
void describe(PictureListOptions& o, AnyOptionVisitor auto& visit) {
  visit("color", o.color, "gray is one number a pixel, rgb three: red, green and blue");
}

/// Each picture is a grid [height, width] of pixels, of U8. Throws FileError; InputError, which names list, line and
/// reason, where a line is empty or its file is none that read_picture() reads. No file appears then.
void convert_pictures(const std::string& list, const std::string& vectors, const PictureListOptions& options,
                      int64_t threads = available_cores());

}  // namespace heed::media
