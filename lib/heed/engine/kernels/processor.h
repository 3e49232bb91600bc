// Instructions beyond vectors of floats that products of narrow numbers use.
#pragma once

namespace heed::engine {

/// Whether the processor multiplies bytes with sums in int32 (AVX512-VNNI) in vectors of 64.
bool has_byte_products();
/// Whether it multiplies bfloat16 numbers with sums in float32 (AVX512-BF16).
bool has_bfloat16_products();

}  // namespace heed::engine
