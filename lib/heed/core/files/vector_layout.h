// Finds the vectors in a file of vectors, and converts their numbers. vector_file.h describes the formats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed {

/// Little-endian numbers; the names are those of the safetensors format. U8 is a number from 0 to 1 in steps of 1/255.
enum class NumberType { F64, F32, F16, BF16, U8 };
constexpr auto option_names(NumberType) {
  return std::array{std::pair{NumberType::F64, "F64"}, std::pair{NumberType::F32, "F32"},
                    std::pair{NumberType::F16, "F16"}, std::pair{NumberType::BF16, "BF16"},
                    std::pair{NumberType::U8, "U8"}};
}

/// Bytes per number.
size_t number_size(NumberType type);
/// Converts stored numbers to float32, one for each element of `values`. `stored` may be unaligned. F64 is rounded to
/// nearest.
void read_numbers(NumberType type, const std::byte* stored, std::span<float> values);
/// Converts float32 numbers, rounded to nearest, ties to even. Numbers too large for F16 or BF16 become infinite. Not
/// for U8: callers already have its bytes.
void write_numbers(NumberType type, std::span<const float> values, std::byte* stored);

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
