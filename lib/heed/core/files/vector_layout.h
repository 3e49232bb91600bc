// Finds the vectors in a file of vectors. vector_file.h describes the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/number_type.h"

namespace heed {

/// The shape of an item: how its vectors are arranged. A sequence has one row.
struct GridShape {
  int64_t rows = 1;
  int64_t columns = 0;
  int64_t vectors() const { return rows * columns; }
  bool operator==(const GridShape&) const = default;
};

struct VectorLayout {
  NumberType type = NumberType::F32;
  int64_t items = 0;
  int64_t width = 0;                              ///< numbers per vector
  bool is_grid = false;                           ///< items are grids, not sequences
  uint64_t begin = 0;                             ///< offset of the first vector in the file; the others follow it
  std::optional<GridShape> every = std::nullopt;  ///< the shape of all items, if they have the same
  std::vector<int64_t> starts = {};               ///< otherwise: the number of vectors before each item, then their
                                                  ///< total
  std::vector<int64_t> rows = {};                 ///< and for grids the rows of each item
};

/// Parses the headers of a file; the ending of `path` selects the format. Throws InputError with `path` if the file has
/// no item, an item has no vector, a vector has no number, or the file is too short.
VectorLayout find_vectors(std::span<const std::byte> bytes, const std::string& path);

}  // namespace heed
