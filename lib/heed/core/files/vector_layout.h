// Where the vectors of a file of vectors are. vector_file.h names the forms of such files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/number_type.h"

namespace heed {

/// How many vectors an item has, and how they stand. A sequence has one row.
struct GridShape {
  int64_t rows = 1;
  int64_t columns = 0;
  int64_t vectors() const { return rows * columns; }
  bool operator==(const GridShape&) const = default;
};

struct VectorLayout {
  NumberType type = NumberType::F32;
  int64_t items = 0;
  int64_t width = 0;                              ///< numbers of a vector
  bool is_grid = false;                           ///< items are grids, not sequences
  uint64_t begin = 0;                             ///< where in the file the first vector begins; the others follow it
  std::optional<GridShape> every = std::nullopt;  ///< the shape of all items where they have the same
  std::vector<int64_t> starts = {};               ///< else: the vectors before each item, and of all
  std::vector<int64_t> rows = {};                 ///< and for grids the rows of each item
};

/// Reads what a file's bytes say of themselves; `path` tells by its ending which format they have. Throws InputError,
/// naming `path`, unless there is at least one item, every item has a vector, every vector a number, and all of them
/// are there.
VectorLayout find_vectors(std::span<const std::byte> bytes, const std::string& path);

}  // namespace heed
