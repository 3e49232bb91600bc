// Numbers between float32 and bfloat16 on the CPU. Rounding is to nearest with ties to even.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// to: the bits of bfloat16. A NaN stays NaN if its first 16 bits are a NaN in bfloat16.
void round_to_bfloat16(const float* from, int64_t count, uint16_t* to);

/// to = from + bias in each row, rounded once. from and to: [rows, width]. bias: [width].
void round_with_bias(const float* from, const float* bias, int64_t rows, int64_t width, uint16_t* to);

/// sums[j] = sum over i of x[i][j], in float32. x: bfloat16 [rows, width].
void sum_of_rows(const uint16_t* x, int64_t rows, int64_t width, float* sums);

}  // namespace heed::kernels
