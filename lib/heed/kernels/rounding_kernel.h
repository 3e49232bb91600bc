// Rounding of float32 numbers to bfloat16, to nearest with ties to even, on the CPU.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// to: the bits of bfloat16. A NaN whose first 16 bits are those of a NaN stays one.
void round_to_bfloat16(const float* from, int64_t count, uint16_t* to);

}  // namespace heed::kernels
