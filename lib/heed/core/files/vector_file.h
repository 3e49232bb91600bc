// A file of N sequences or grids of vectors: frames of audio, regions of images, pixels, time series. It is
// memory-mapped, so it may be larger than memory. The file ending selects the format:
//   .npy          NumPy's format (npy_header.h), C order, types <f2, <f4, <f8 and |u1:
//                 [N, width]  sequences of one vector      [N, vectors, width]  sequences of equal length
//                 [N, rows, columns, width]  grids of equal size
//   .safetensors  (safetensors.h) a tensor `vectors` with one of these shapes. For items of different sizes:
//                 `vectors` [total, width], all items in order, with int64 `lengths` [N] for sequences or
//                 `grids` [N, 2] (rows, columns) for grids. `vectors` is F64, F32, F16, BF16 or U8. Other tensors are
//                 ignored.
// A U8 number is its value / 255.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
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

enum class VectorItems { Sequences, Grids };

/// Writes a file in the format for items of different sizes. Vectors go to disk as they come; only the shape of each
/// item stays in memory, 8 or 16 bytes.
class VectorWriter {
 public:
  /// Throws FileError, also for a pipe, because the header is written last. Throws InputError unless the name ends in
  /// .safetensors.
  VectorWriter(const std::string& path, int64_t width, NumberType type, VectorItems items = VectorItems::Sequences);

  /// Appends an item of [rows, columns, width] numbers; a sequence has one row. Not for U8. Throws FileError;
  /// InputError for a number that is not finite in the file's type.
  void add(const GridShape& shape, std::span<const float> values);
  /// The same for U8, where a byte is the number byte / 255. Throws FileError.
  void add(const GridShape& shape, std::span<const uint8_t> values);
  /// Completes the file and gives it its name. Without this call no file appears. There must be at least one item.
  /// Throws FileError.
  void finish();

 private:
  void add_shape(const GridShape& shape, size_t numbers);
  void check_finite(std::span<const float> values) const;
  void append(std::span<const std::byte> bytes);
  void flush();
  std::string header(uint64_t padding) const;

  std::string path_;
  int64_t width_;
  NumberType type_;
  bool is_grid_;
  AtomicFile file_;
  int64_t vectors_ = 0;             // written so far
  std::vector<int64_t> shapes_;     // values of the tensor `lengths` or `grids`
  std::vector<std::byte> waiting_;  // not written yet
};

}  // namespace heed
