// What happens to rows of floats between two products, each in one pass over memory that is in the cache.
#pragma once

#include <cstdint>

#include "heed/kernels/product_kernels.h"

namespace heed::kernels {

/// x as groups of 4 bytes (product_kernels.h), of bfloat16: rounded to nearest, ties to even. [rows, width], its rows
/// x_row apart -> [rows, row_groups], filled up with zeros.
void round_rows(const float* x, int64_t x_row, int64_t rows, int64_t width, Group* groups, int64_t row_groups);
/// As bytes: x = scale * (byte - 128) with scale = max |x| / 127, of each row its own. A row with NaN or an infinity
/// has that as its scale, so that no product makes numbers of it. scale: [rows].
void quantize_rows(const float* x, int64_t x_row, int64_t rows, int64_t width, Group* groups, int64_t row_groups,
                   float* scale);

/// A norm of heed_torch/nn/norm.h. Rows are `row` floats apart in x and in y, which may be x.
struct NormWeights {
  const float* weight;
  const float* bias;  ///< null: root-mean-square normalization, without a mean
  double epsilon;
};
void norm_rows(const float* x, int64_t rows, int64_t width, int64_t row, const NormWeights& norm, float* y);

/// In place; count numbers. gelu is the exact one.
void gelu(float* x, int64_t count);
void silu(float* x, int64_t count);
void sigmoid(float* x, int64_t count);
void hyperbolic_tangent(float* x, int64_t count);
/// x *= y
void multiply(float* x, const float* y, int64_t count);

}  // namespace heed::kernels
