// Functions of vectors that several kernels need; see nn/kernels/vector_code.h.
#pragma once

#include <algorithm>

#include "heed/nn/kernels/dropout_kernel.h"
#include "heed/nn/kernels/vector_code.h"

namespace heed::nn::vector_code {

/// Zero where `keep` has no bit set; its lanes have all bits set or none.
[[gnu::always_inline]] inline void masked(Float& number, const Int& keep) {
  number = reinterpret_cast<Float>(reinterpret_cast<Int>(number) & keep);
}
[[gnu::always_inline]] inline void masked(Double& number, const Int& keep) {
  number = reinterpret_cast<Double>(reinterpret_cast<Long>(number) & __builtin_convertvector(keep, Long));
}

/// As bfloat16: rounds to nearest, ties to even; what was NaN in bfloat16 stays so. T: a type of 16 bits.
template <class T>
[[gnu::always_inline]] inline void store_rounded(T* to, const Float& number) {
  const Unsigned bits = reinterpret_cast<Unsigned>(number);
  store(to, __builtin_convertvector((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16, UnsignedShort));
}

/// e^x for x <= 0, to 2 units in the last place; below -87 it stays at e^-87, about 1e-38. The polynomial is that of
/// the Cephes library's expf on [-ln 2 / 2, ln 2 / 2].
[[gnu::always_inline]] inline void exponential(Float& x) {
  constexpr float kRound = 12582912;  // 1.5 * 2^23: adding it leaves the nearest whole number in the low bits
  const Float lowest = Float{} - 87;
  const Float given = x;
  x = x < lowest ? lowest : x;
  const Float shifted = x * 1.44269504088896341f + kRound;
  const Float whole = shifted - kRound;
  x -= whole * 0.693359375f;
  x -= whole * -2.12194440e-4f;
  Float y = x * 1.9875691500e-4f + 1.3981999507e-3f;
  y = y * x + 8.3334519073e-3f;
  y = y * x + 4.1665795894e-2f;
  y = y * x + 1.6666665459e-1f;
  y = y * x + 5.0000001201e-1f;
  y = y * (x * x) + x + 1;
  const Int exponent = reinterpret_cast<Int>(shifted) << 23;  // the bits of kRound leave at the top
  x = reinterpret_cast<Float>(reinterpret_cast<Int>(y) + exponent);
  x = given == given ? x : given;  // NaN stays
}

/// tanh x with an error of about 1e-7.
[[gnu::always_inline]] inline void hyperbolic_tangent(Float& x) {
  const Int sign = reinterpret_cast<Int>(x) & static_cast<int32_t>(0x80000000u);
  Float small = reinterpret_cast<Float>(reinterpret_cast<Int>(x) | static_cast<int32_t>(0x80000000u));  // -|x|
  small += small;
  exponential(small);
  const Float size = (1 - small) / (1 + small);
  x = reinterpret_cast<Float>(reinterpret_cast<Int>(size) | sign);
}

/// 1 / (1 + e^-x)
[[gnu::always_inline]] inline void logistic(Float& x) {
  const Int negative = x < 0;
  Float power = negative ? x : -x;  // -|x|
  exponential(power);
  const Float rest = 1 / (1 + power);
  x = negative ? power * rest : rest;
}

[[gnu::always_inline]] inline float largest_lane(const Float& lanes) {
  float result = lanes[0];
  for (int64_t i = 1; i < kLanes; ++i) result = std::max(result, lanes[i]);
  return result;
}
[[gnu::always_inline]] inline float sum_of_lanes(const Float& lanes) {
  float result = 0;
  for (int64_t i = 0; i < kLanes; ++i) result += lanes[i];
  return result;
}

/// Turns (key, counter) into 32 random bits: triple32 (Wellons 2018, https://nullprogram.com/blog/2018/07/31/), a
/// bijection of three multiplications, with half of the key added before the first and before the second.
[[gnu::always_inline]] inline void hash(Unsigned& counter, uint64_t key) {
  counter += static_cast<uint32_t>(key);
  counter ^= counter >> 17;
  counter *= 0xed5ad4bbu;
  counter ^= counter >> 11;
  counter += static_cast<uint32_t>(key >> 32);
  counter *= 0xac4c1b51u;
  counter ^= counter >> 15;
  counter *= 0x31848babu;
  counter ^= counter >> 14;
}

/// Which elements a dropout mask keeps, from `first` (a multiple of DropoutMask::kBlock) on: all bits of a lane or
/// none.
[[gnu::always_inline]] inline void kept_lanes(const DropoutMask& mask, int64_t first, Int& low, Int& high) {
  static_assert(DropoutMask::kBlock == 2 * kLanes);
  Unsigned bits = Unsigned{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + static_cast<uint32_t>(first / 2);
  hash(bits, mask.key);
  const Int threshold = Int{} + static_cast<int32_t>(mask.threshold);
  low = reinterpret_cast<Int>(bits & 0xffffu) >= threshold;
  high = reinterpret_cast<Int>(bits >> 16) >= threshold;
}

}  // namespace heed::nn::vector_code
