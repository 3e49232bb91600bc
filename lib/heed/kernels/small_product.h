// Multiplications of matrices that are too small for a library call, for use in vector code; see
// heed/kernels/vector_code.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "heed/kernels/vector_code.h"

namespace heed::kernels {

/// A strided matrix: number (i, j) is numbers[i * row + j * column].
struct SmallMatrix {
  const float* numbers;
  int64_t row;
  int64_t column = 1;

  SmallMatrix transposed() const { return {.numbers = numbers, .row = column, .column = row}; }
};

/// Computes rows [first, first + kRows) of a b, some columns starting at `at`, in registers. Rows after the last one
/// repeat the last one.
template <class R, int kRows, int kVectors>
[[gnu::always_inline]] inline void small_product_tile(const SmallMatrix& a, const SmallMatrix& b, int64_t first,
                                                      int64_t rows, int64_t inner, int64_t at, float* result,
                                                      int64_t result_row) {
  using Float = R::Float;
  const float* left[kRows];
  for (int r = 0; r < kRows; ++r) left[r] = a.numbers + std::min(first + r, rows - 1) * a.row;
  Float sum[kRows][kVectors] = {};
  for (int64_t p = 0; p < inner; ++p) {
    Float right[kVectors];
    for (int v = 0; v < kVectors; ++v) load(right[v], b.numbers + p * b.row + at + v * kLanes);
    for (int r = 0; r < kRows; ++r) {
      const float factor = left[r][p * a.column];
      for (int v = 0; v < kVectors; ++v) sum[r][v] += right[v] * factor;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    float* to = result + std::min(first + r, rows - 1) * result_row + at;
    for (int v = 0; v < kVectors; ++v) store(to + v * kLanes, sum[r][v]);
  }
}

/// result = a b. a: [rows, inner]; b: [inner, columns] with column = 1; columns: a multiple of kLanes. result_row:
/// stride of the rows of the result.
template <class R>
[[gnu::always_inline]] inline void small_product(const SmallMatrix& a, const SmallMatrix& b, int64_t rows,
                                                 int64_t inner, int64_t columns, float* result, int64_t result_row) {
  constexpr int kVectors = R::kWidth == 16 ? 2 : 1;  // the sums of a tile fit into the registers
  int64_t at = 0;
  for (; at + kVectors * kLanes <= columns; at += kVectors * kLanes) {
    for (int64_t i = 0; i < rows; i += 4) {
      small_product_tile<R, 4, kVectors>(a, b, i, rows, inner, at, result, result_row);
    }
  }
  if constexpr (kVectors == 2) {
    if (at == columns) return;
    for (int64_t i = 0; i < rows; i += 8) small_product_tile<R, 8, 1>(a, b, i, rows, inner, at, result, result_row);
  }
}

}  // namespace heed::kernels
