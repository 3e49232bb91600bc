// A file of N sequences or grids of vectors: frames of audio, regions of images, pixels, time series. It is
// memory-mapped, so it may be larger than memory. The file ending selects the format:
//   .npy          NumPy's format (npy_header.h), C order, types <f2, <f4, <f8 and |u1:
//                 [N, width]  sequences of one vector      [N, vectors, width]  sequences of equal length
//                 [N, rows, columns, width]  grids of equal size
//   .safetensors  (safetensors.h) a tensor `vectors` with one of these shapes. For items of different sizes:
//                 `vectors` [total, width], all items in order, with int64 `lengths` [N] for sequences or
//                 `grids` [N, 2] (rows, columns) for grids. `vectors` is F64, F32, F16, BF16 or U8. Other tensors are
//                 ignored.
// A U8 number is its value / 255. vector_writer.h writes such files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/core/files/mapped_file.h"
#include "heed/core/files/vector_layout.h"

namespace heed {

/// Thread-safe.
class VectorFile {
 public:
  /// Checks the format of the file. Numbers are checked when they are read. Throws FileError. Throws InputError if the
  /// file has another format, is damaged or truncated, or has an item without vectors.
  explicit VectorFile(const std::string& path);

  /// Number of sequences or grids, at least 1.
  int64_t size() const { return layout_.items; }
  /// Numbers per vector, at least 1.
  int64_t width() const { return layout_.width; }
  bool is_grid() const { return layout_.is_grid; }
  /// Shape of an item; `item` is 0-based.
  GridShape shape(int64_t item) const;
  /// Reads an item into `values` [rows, columns, width], which has shape(item).vectors() * width() elements. Throws
  /// InputError if a number is not finite as float32. The message counts items, vectors and numbers from 1.
  void read(int64_t item, std::span<float> values) const;
  /// The path as given by the user.
  const std::string& path() const { return path_; }

 private:
  int64_t first_vector(int64_t item) const;

  std::string path_;
  MappedFile file_;
  VectorLayout layout_;
};

}  // namespace heed
