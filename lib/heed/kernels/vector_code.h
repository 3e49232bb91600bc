// heed's own vector code, for the few CPU kernels that LibTorch lacks. It is written once (lanes.h) and compiled
// several times, for each register width; run_vectorized selects the widest at run time. So an ordinary build runs on
// every processor of its architecture and is fast on each.
#pragma once

#include "heed/kernels/lanes.h"

// Clang takes no operands of vectors that are wider than what a function is compiled for, though it is inlined into one
// where they are not.
#if defined(__x86_64__) && !defined(__clang__)
#define HEED_HAS_LOW_PRECISION 1
#else
#define HEED_HAS_LOW_PRECISION 0
#endif

namespace heed::kernels {

/// The types of vector code in registers of kWidth floats.
template <int floats>
struct Registers {
  static constexpr int kWidth = floats;
  using Float = Lanes<float, kWidth>;
  using Double = Lanes<double, kWidth>;
  using Int = Lanes<int32_t, kWidth>;
  using Unsigned = Lanes<uint32_t, kWidth>;
};

#if defined(__x86_64__)
// Both run a copy that no pointer reaches, so that its members stay in registers while run() writes to memory.
template <class Kernel>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]] void run_avx512(const Kernel& kernel) {
  const Kernel own = kernel;
  own.template run<Registers<16>>();
}
template <class Kernel>
[[gnu::target("avx2,fma")]] void run_avx2(const Kernel& kernel) {
  const Kernel own = kernel;
  own.template run<Registers<8>>();
}
#endif

/// The width of this processor's registers. The environment variable ATEN_CPU_CAPABILITY (avx2 or default) reduces it,
/// as it does for LibTorch's own kernels.
enum class Width { Least, Avx2, Avx512 };
Width width();
/// Whether the processor, and this build, multiplies bytes with sums in int32 (AVX512-VNNI) in vectors of 64.
bool has_avx512_vnni();
/// Whether it multiplies bfloat16 numbers with sums in float32 (AVX512-BF16).
bool has_avx512_bf16();
/// Whether it multiplies tiles of bytes and of bfloat16 (AMX), and the system lets this process use them.
bool has_amx();

/// Whether it multiplies groups of 4 bytes with sums in int32 (NEON's dot product, of ARM64).
bool has_dot_product();

/// Calls kernel.run<R>() with the widest Registers R that the processor has. run() must be const and always inlined,
/// and so must all functions that it calls.
template <class Kernel>
void run_vectorized(const Kernel& kernel) {
#if defined(__x86_64__)
  static const Width widest = width();
  if (widest == Width::Avx512) return run_avx512(kernel);
  if (widest == Width::Avx2) return run_avx2(kernel);
#endif
  kernel.template run<Registers<4>>();
}

}  // namespace heed::kernels
