// Instructions beyond vectors of floats that products of narrow numbers use.
#pragma once

// Clang takes no operands of vectors that are wider than what a function is compiled for, though it is inlined into one
// where they are not.
#if defined(__x86_64__) && !defined(__clang__)
#define HEED_HAS_NARROW_PRODUCTS 1
#else
#define HEED_HAS_NARROW_PRODUCTS 0
#endif

namespace heed::engine {

/// Whether the processor, and this build, multiplies bytes with sums in int32 (AVX512-VNNI) in vectors of 64.
bool has_byte_products();
/// Whether it multiplies bfloat16 numbers with sums in float32 (AVX512-BF16).
bool has_bfloat16_products();
/// Whether it multiplies tiles of bytes and of bfloat16 (AMX), and the system lets this process use them.
bool has_tile_products();

}  // namespace heed::engine
