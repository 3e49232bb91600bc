// Vector functions that several kernels use; see heed/kernels/vector_code.h.
#pragma once

#include <algorithm>

#include "heed/kernels/dropout_kernel.h"
#include "heed/kernels/vector_code.h"

namespace heed::kernels {

/// Sets lanes to zero if their lane of `keep` has no bits set. Each lane of `keep` has all bits set or none.
template <int kWidth>
[[gnu::always_inline]] inline void masked(Lanes<float, kWidth>& number, const Lanes<int32_t, kWidth>& keep) {
  number = bits_as<float>(bits_as<int32_t>(number) & keep);
}
template <int kWidth>
[[gnu::always_inline]] inline void masked(Lanes<double, kWidth>& number, const Lanes<int32_t, kWidth>& keep) {
  number = bits_as<double>(bits_as<int64_t>(number) & convert<int64_t>(keep));
}

/// Stores numbers as bfloat16, rounded to nearest with ties to even. A NaN stays NaN if it is one in bfloat16. T: a
/// 16-bit type.
template <class T, int kWidth>
[[gnu::always_inline]] inline void store_rounded(T* to, const Lanes<float, kWidth>& number) {
  const auto bits = bits_as<uint32_t>(number);
  store(to, convert<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16));
}

template <int kWidth>
[[gnu::always_inline]] inline void store_some_rounded(uint16_t* to, const Lanes<float, kWidth>& number, int64_t count) {
  if (count == kLanes) return store_rounded(to, number);
  uint16_t all[kLanes];
  store_rounded(all, number);
  std::copy(all, all + count, to);
}

/// Loads bfloat16 numbers.
template <int kWidth>
[[gnu::always_inline]] inline void load_bfloat16(Lanes<float, kWidth>& number, const uint16_t* from) {
  Lanes<uint16_t, kWidth> bits;
  load(bits, from);
  if constexpr (kWidth == 16) {  // one instruction: zeros below the bits of each number
    const decltype(bits) zero{};
    using Part = Lanes<float, kWidth>::Part;
    number.part[0] = reinterpret_cast<Part>(__builtin_shufflevector(zero.part[0], bits.part[0], 0, 16, 0, 17, 0, 18, 0,
                                                                    19, 0, 20, 0, 21, 0, 22, 0, 23, 0, 24, 0, 25, 0, 26,
                                                                    0, 27, 0, 28, 0, 29, 0, 30, 0, 31));
  } else {
    number = bits_as<float>(convert<uint32_t>(bits) << 16);
  }
}
template <int kWidth>
[[gnu::always_inline]] inline void load_some_bfloat16(Lanes<float, kWidth>& number, const uint16_t* from, int64_t count,
                                                      uint16_t fill = 0) {
  if (count == kLanes) return load_bfloat16(number, from);
  uint16_t all[kLanes];
  std::fill(all, all + kLanes, fill);
  std::copy(from, from + count, all);
  load_bfloat16(number, all);
}

/// e^x for x <= 0, accurate to 2 units in the last place; below -87 the result is e^-87, about 1e-38. The polynomial is
/// that of the Cephes library's expf on [-ln 2 / 2, ln 2 / 2].
template <int kWidth>
[[gnu::always_inline]] inline void exponential(Lanes<float, kWidth>& x) {
  using Float = Lanes<float, kWidth>;
  constexpr float kRound = 12582912;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  const Float lowest = -87, given = x;
  x = select(x < lowest, lowest, x);
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
  const auto exponent = bits_as<int32_t>(shifted) << 23;  // the shift drops the bits of kRound
  const auto real = given == given;  // NOLINT(misc-redundant-expression): not so of NaN, which stays
  x = select(real, bits_as<float>(bits_as<int32_t>(y) + exponent), given);
}

/// tanh x with an error of about 1e-7.
template <int kWidth>
[[gnu::always_inline]] inline void hyperbolic_tangent(Lanes<float, kWidth>& x) {
  constexpr auto kSign = static_cast<int32_t>(0x80000000u);
  const auto bits = bits_as<int32_t>(x);
  auto small = bits_as<float>(bits | kSign);  // -|x|
  small += small;
  exponential(small);
  const auto size = (1 - small) / (1 + small);
  x = bits_as<float>(bits_as<int32_t>(size) | (bits & kSign));
}

/// 1 / (1 + e^-x)
template <int kWidth>
[[gnu::always_inline]] inline void logistic(Lanes<float, kWidth>& x) {
  const auto negative = x < 0;
  auto power = select(negative, x, -x);  // -|x|
  exponential(power);
  const auto rest = 1 / (1 + power);
  x = select(negative, power * rest, rest);
}

template <int kWidth>
[[gnu::always_inline]] inline float largest_lane(const Lanes<float, kWidth>& lanes) {
  float result = lanes[0];
  for (int64_t i = 1; i < kLanes; ++i) result = std::max(result, lanes[i]);
  return result;
}
template <int kWidth>
[[gnu::always_inline]] inline float sum_of_lanes(const Lanes<float, kWidth>& lanes) {
  float result = 0;
  for (int64_t i = 0; i < kLanes; ++i) result += lanes[i];
  return result;
}

/// Turns (key, counter) into 32 random bits with triple32 (Wellons 2018, https://nullprogram.com/blog/2018/07/31/).
/// That is a bijection of three multiplications; half of the key is added before the first and half before the second.
template <int kWidth>
[[gnu::always_inline]] inline void hash(Lanes<uint32_t, kWidth>& counter, uint64_t key) {
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

/// The elements that a dropout mask keeps, starting at `first` (a multiple of DropoutMask::kBlock). A kept lane has all
/// bits set, a dropped lane none.
template <int kWidth>
[[gnu::always_inline]] inline void kept_lanes(const DropoutMask& mask, int64_t first, Lanes<int32_t, kWidth>& low,
                                              Lanes<int32_t, kWidth>& high) {
  static_assert(DropoutMask::kBlock == 2 * kLanes);
  constexpr uint32_t kCounters[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  Lanes<uint32_t, kWidth> bits;
  load(bits, kCounters);
  bits += static_cast<uint32_t>(first / 2);
  hash(bits, mask.key);
  const auto threshold = static_cast<int32_t>(mask.threshold);
  low = bits_as<int32_t>(bits & 0xffffu) >= threshold;
  high = bits_as<int32_t>(bits >> 16) >= threshold;
}

}  // namespace heed::kernels
