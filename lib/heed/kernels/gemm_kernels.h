// Matrix multiplications y = x W^T + b with a weight that is packed once and used at every decoding step. A library
// packs W again at every call, selects code for the shape, and passes over y again for bias and activation. For the few
// rows of a step, this takes as long as the arithmetic itself.
//
// Every number of y is a sum over the inner dimension in a fixed order, independent of the other rows. So a sentence
// has bit-identical scores on its own and in a batch.
//
// The inner dimension is split into groups of 4 bytes: 1 float, 2 bfloat16 numbers or 4 int8 numbers, padded with
// zeros. A packed weight is [panels][groups][kPanel], so that each tile of the multiplication reads contiguous memory.
#pragma once

#include <cstdint>

namespace heed::kernels {

constexpr int64_t kPanel = 32;  ///< columns of a panel
constexpr int64_t panels_of(int64_t columns) { return (columns + kPanel - 1) / kPanel; }

/// A tile (tile_products.cpp) has 16 rows of kTile groups. Groups of int8 and bfloat16 are padded with zeros to whole
/// tiles. Rows are padded too, but only their memory must exist; its content does not matter.
constexpr int64_t kTile = 16;
constexpr int64_t whole_tiles(int64_t count) { return (count + kTile - 1) / kTile * kTile; }

/// 4 bytes of any number type.
using Group [[gnu::may_alias]] = uint32_t;

/// One operand of a matrix multiplication.
struct Groups {
  const Group* numbers;  ///< x: [rows][count], with stride `row` in groups; weight: [panels][count][kPanel]
  int64_t count;         ///< number of groups in the inner dimension
  int64_t row = 0;       ///< stride of the rows; for x only
};

/// The panels [first, last) of a weight.
struct PanelRange {
  int64_t first;
  int64_t last;
};

/// The output y, from the range's first column on, and what is applied to the sums: + bias, max(0, .), + residual.
struct Epilogue {
  float* y;
  int64_t y_row;                    ///< stride of the rows in floats; at least whole panels
  const float* bias;                ///< [columns of the range, whole panels]
  bool relu = false;                ///< max(0, sum + bias)
  const float* residual = nullptr;  ///< same layout as y, and may be y; null: no residual
};

/// Multiplies floats.
void float_gemm(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Epilogue& finish);

/// Multiplies pairs of bfloat16 and sums in float32. Without AVX512-BF16 or AMX it multiplies the same numbers as
/// floats.
void bfloat16_gemm(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Epilogue& finish);

/// The largest size of a weight's byte: 127, or 63 with AVX2 if the processor lacks AVX512-VNNI. AVX2 adds two products
/// of bytes in 16 bits: 2 * 255 * 63 fits, 2 * 255 * 127 does not.
int largest_weight_byte();

/// The scales of int8 numbers: x = x_scale[row] * (byte - 128), W = scale[column] * byte.
struct ByteScales {
  const float* x;             ///< [rows]
  const float* weight;        ///< [columns of the range, whole panels]
  const int32_t* minus_sums;  ///< -128 times the sum of each column's bytes, [columns of the range, whole panels]
};
/// Multiplies int8 numbers. x: unsigned bytes; weight: signed bytes, from -largest_weight_byte() to
/// largest_weight_byte(). Sums are exact.
void int8_gemm(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const ByteScales& scales,
               const Epilogue& finish);

}  // namespace heed::kernels
