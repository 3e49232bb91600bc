// A file of N sequences or grids of vectors: frames of sound, regions of pictures, pixels, series in time. It is mapped
// into memory, so that it may be larger than that. Two formats, told by the ending of the name:
//   .npy          NumPy's (npy_header.h), C order, of the types <f2, <f4, <f8 and |u1:
//                 [N, width]  sequences of one vector      [N, vectors, width]  sequences that are equally long
//                 [N, rows, columns, width]  grids that are equally large
//   .safetensors  (safetensors.h) a tensor `vectors` of one of these shapes, or, for items that differ,
//                 `vectors` [total, width], item behind item, with `lengths` [N] for sequences or `grids` [N, 2] (rows,
//                 columns) for grids, of I64; `vectors` of F64, F32, F16, BF16 or U8. Other tensors are not looked at.
// U8 stands for its value / 255. vector_writer.h writes such files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/core/files/mapped_file.h"
#include "heed/core/files/vector_layout.h"

namespace heed {

/// Any number of threads may read one.
class VectorFile {
 public:
  /// Numbers are looked at when they are read, the form of the file here. Throws FileError; InputError where it has
  /// none of the forms above, is damaged or cut off, or has an item without vectors.
  explicit VectorFile(const std::string& path);

  /// Sequences or grids, at least 1.
  int64_t size() const { return layout_.items; }
  /// Numbers of a vector, at least 1.
  int64_t width() const { return layout_.width; }
  bool is_grid() const { return layout_.is_grid; }
  /// Of an item, counted from 0.
  GridShape shape(int64_t item) const;
  /// Writes the numbers of an item into `values`, which has place for shape(item).vectors() * width() of them:
  /// [rows, columns, width]. Throws InputError, which counts items, vectors and numbers from 1, where one of them is
  /// not finite as float32.
  void read(int64_t item, std::span<float> values) const;
  /// As the user wrote it.
  const std::string& path() const { return path_; }

 private:
  int64_t first_vector(int64_t item) const;

  std::string path_;
  MappedFile file_;
  VectorLayout layout_;
};

}  // namespace heed
