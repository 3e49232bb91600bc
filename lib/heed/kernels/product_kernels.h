// Products y = x W^T + b with a weight that is packed once and used at every step. What a library's product costs
// beside its arithmetic (packing W anew, choosing code for the shape, passes over y for the bias and the activation)
// is as much as the arithmetic itself for the few rows of a step.
//
// Every number of y is a sum over the inner dimension in one order, whatever rows stand beside its own: a sentence has
// the same scores alone and in a batch, to the last bit.
//
// The inner dimension comes in groups of 4 bytes: 1 float, 2 numbers of bfloat16 or 4 whole numbers of a byte, filled
// up with zeros. A packed weight is [panels][groups][kPanel]: what a tile of the product reads lies in a row.
#pragma once

#include <cstdint>

namespace heed::kernels {

constexpr int64_t kPanel = 32;  ///< columns of a panel
constexpr int64_t panels_of(int64_t columns) { return (columns + kPanel - 1) / kPanel; }

/// Tiles (tile_products.h) have 16 rows of so many groups. Narrow numbers fill whole ones, with zeros at the end; there
/// is memory, whatever is in it, for whole tiles of rows.
constexpr int64_t kTile = 16;
constexpr int64_t whole_tiles(int64_t count) { return (count + kTile - 1) / kTile * kTile; }

/// 4 bytes, whatever they are.
using Group [[gnu::may_alias]] = uint32_t;

/// One operand of a product.
struct Groups {
  const Group* numbers;  ///< of x: [rows][count], rows `row` groups apart; of a weight: [panels][count][kPanel]
  int64_t count;         ///< groups of the inner dimension
  int64_t row = 0;       ///< of x only
};

/// The panels [first, last) of a weight.
struct PanelRange {
  int64_t first;
  int64_t last;
};

/// Where y goes, from the range's first column on, and what is done to the sums before: + bias, max(0, .), + residual.
struct Finish {
  float* y;
  int64_t y_row;                    ///< floats from row to row; at least whole panels
  const float* bias;                ///< [columns of the range, whole panels]
  bool relu = false;                ///< max(0, sum + bias)
  const float* residual = nullptr;  ///< laid out as y, which it may be; null: none
};

/// Floats.
void float_product(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Finish& finish);

/// Pairs of bfloat16, summed as float32. On a processor without such products the same numbers as floats.
void bfloat16_product(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Finish& finish);

/// What bytes stand for: x = x_scale[row] * (byte - 128), W = scale[column] * byte.
struct ByteScales {
  const float* x;             ///< [rows]
  const float* weight;        ///< [columns of the range, whole panels]
  const int32_t* minus_sums;  ///< -128 times the sum of each column's bytes, likewise
};
/// x: unsigned bytes, the weight's: signed from -127 on. Sums are whole numbers, the same on every processor.
void byte_product(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const ByteScales& scales,
                  const Finish& finish);

}  // namespace heed::kernels
