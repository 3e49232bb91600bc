// Operations on rows of floats between two matrix multiplications. Each is one pass over memory that is in the cache.
#pragma once

#include <cstdint>

#include "heed/kernels/gemm_kernels.h"

namespace heed::kernels {

/// Rounds x to bfloat16, to nearest with ties to even, as groups of 4 bytes (gemm_kernels.h). [rows, width] with
/// stride x_row -> [rows, row_groups], padded with zeros.
void round_rows(const float* x, int64_t x_row, int64_t rows, int64_t width, Group* groups, int64_t row_groups);
/// Quantizes x to int8: x = scale * (byte - 128) with scale = max |x| / largest_byte for each row. A row with NaN or
/// infinity has that as its scale, so that it stays visible after the multiplication. scale: [rows].
void quantize_rows(const float* x, int64_t x_row, int64_t rows, int64_t width, Group* groups, int64_t row_groups,
                   float* scale, int largest_byte = 127);

/// A norm of heed_torch/nn/norm.h. `row` is the stride of the rows in floats, in x and in y, which may be the same
/// array.
struct NormWeights {
  const float* weight;
  const float* bias;  ///< null: root-mean-square normalization (RMSNorm), which subtracts no mean
  double epsilon;
};
void norm_rows(const float* x, int64_t rows, int64_t width, int64_t row, const NormWeights& norm, float* y);

/// In place, on `count` numbers. gelu is the exact form.
void gelu(float* x, int64_t count);
void silu(float* x, int64_t count);
void sigmoid(float* x, int64_t count);
void hyperbolic_tangent(float* x, int64_t count);
/// x *= y
void multiply(float* x, const float* y, int64_t count);

}  // namespace heed::kernels
