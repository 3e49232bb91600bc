// Rounds float32 to bfloat16, to nearest with ties to even, on the CPU.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// to: the bits of bfloat16. A NaN stays NaN if its first 16 bits are a NaN in bfloat16.
void round_to_bfloat16(const float* from, int64_t count, uint16_t* to);

}  // namespace heed::kernels
