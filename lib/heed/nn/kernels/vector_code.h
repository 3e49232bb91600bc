// Vector code of our own for the few CPU kernels where LibTorch has none: written once with the compiler's vector types
// and compiled several times, for the processors' vector widths; run_vectorized picks the widest at run time. So an
// ordinary build runs on every processor of its kind and is fast on the one it finds.
#pragma once

#include <cstdint>
#include <cstring>

namespace heed::nn::vector_code {

constexpr int64_t kLanes = 16;
/// The least number of whole vectors' lanes that has room for `count` numbers.
constexpr int64_t whole_lanes(int64_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

using Float [[gnu::vector_size(kLanes * 4)]] = float;
using Double [[gnu::vector_size(kLanes * 8)]] = double;
using Int [[gnu::vector_size(kLanes * 4)]] = int32_t;
using Long [[gnu::vector_size(kLanes * 8)]] = int64_t;
using Unsigned [[gnu::vector_size(kLanes * 4)]] = uint32_t;
using UnsignedShort [[gnu::vector_size(kLanes * 2)]] = uint16_t;

/// The lanes at `from`, of any alignment.
template <class Vector, class T>
[[gnu::always_inline]] inline void load(Vector& lanes, const T* from) {
  static_assert(sizeof(Vector) == kLanes * sizeof(T));
  std::memcpy(&lanes, from, sizeof lanes);
}
template <class Vector, class T>
[[gnu::always_inline]] inline void store(T* to, const Vector& lanes) {
  static_assert(sizeof(Vector) == kLanes * sizeof(T));
  std::memcpy(to, &lanes, sizeof lanes);
}

#if defined(__x86_64__)
template <class Kernel>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]] void run_avx512(const Kernel& kernel) {
  kernel();
}
template <class Kernel>
[[gnu::target("avx2,fma")]] void run_avx2(const Kernel& kernel) {
  kernel();
}
#endif

/// What this machine's processor has; as for LibTorch's own kernels, the variable ATEN_CPU_CAPABILITY of the
/// environment (avx2 or default) makes it less.
enum class Width { Least, Avx2, Avx512 };
Width width();

/// Calls kernel(), whose call operator must be const and always inlined, as must be all that it calls.
template <class Kernel>
void run_vectorized(const Kernel& kernel) {
#if defined(__x86_64__)
  static const Width widest = width();
  if (widest == Width::Avx512) return run_avx512(kernel);
  if (widest == Width::Avx2) return run_avx2(kernel);
#endif
  kernel();
}

}  // namespace heed::nn::vector_code
