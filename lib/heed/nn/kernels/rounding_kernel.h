// Rounding of float32 numbers to bfloat16, to nearest with ties to even, on the CPU.
#pragma once

#include <cstdint>

#include <c10/util/BFloat16.h>

namespace heed::nn {

/// A NaN whose first 16 bits are those of a NaN stays one.
void round_to_bfloat16(const float* from, int64_t count, c10::BFloat16* to);

}  // namespace heed::nn
