// Writes a file of sequences or grids of vectors, in vector_file.h's format for items of different sizes. It is a
// safetensors file with `vectors` [total, width] and `lengths` [N] or `grids` [N, 2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/core/files/vector_layout.h"

namespace heed {

enum class VectorItems { Sequences, Grids };

/// Writes vectors to disk as they come. It keeps only the shape of each item in memory, 8 or 16 bytes.
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
