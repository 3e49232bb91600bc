// Vector code of our own for the few CPU kernels where LibTorch has none: written once (lanes.h) and compiled several
// times, for the registers that processors have; run_vectorized picks the widest at run time. So an ordinary build runs
// on every processor of its kind and is fast on the one it finds.
#pragma once

#include "heed/kernels/lanes.h"

namespace heed::nn::vector_code {

/// The types of vector code in registers of kWidth floats.
template <int kWidth>
struct Registers {
  using Float = Lanes<float, kWidth>;
  using Double = Lanes<double, kWidth>;
  using Int = Lanes<int32_t, kWidth>;
  using Unsigned = Lanes<uint32_t, kWidth>;
};

#if defined(__x86_64__)
template <class Kernel>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]] void run_avx512(const Kernel& kernel) {
  kernel.template run<Registers<16>>();
}
template <class Kernel>
[[gnu::target("avx2,fma")]] void run_avx2(const Kernel& kernel) {
  kernel.template run<Registers<8>>();
}
#endif

/// What this machine's processor has; as for LibTorch's own kernels, the variable ATEN_CPU_CAPABILITY of the
/// environment (avx2 or default) makes it less.
enum class Width { Least, Avx2, Avx512 };
Width width();

/// Calls kernel.run<R>() with the Registers R that the processor has. It must be const and always inlined, as must be
/// all that it calls.
template <class Kernel>
void run_vectorized(const Kernel& kernel) {
#if defined(__x86_64__)
  static const Width widest = width();
  if (widest == Width::Avx512) return run_avx512(kernel);
  if (widest == Width::Avx2) return run_avx2(kernel);
#endif
  kernel.template run<Registers<4>>();
}

}  // namespace heed::nn::vector_code
