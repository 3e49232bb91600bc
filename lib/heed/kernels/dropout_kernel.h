// The dropout mask as a function of (key, element index), and its application on the CPU.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// Drops elements with probability threshold / 2^16 and scales the others by 2^16 / (2^16 - threshold).
struct DropoutMask {
  uint64_t key;
  uint32_t threshold;  ///< 1 to 2^16 - 1

  static DropoutMask with_probability(uint64_t key, double probability);
  double keep() const { return (kSteps - threshold) / kSteps; }
  double scale() const { return kSteps / (kSteps - threshold); }

  static constexpr double kSteps = 65536;
  static constexpr int64_t kBlock = 32;                   ///< elements whose random bits are computed together
  static constexpr int64_t kMaxCount = int64_t{1} << 33;  ///< maximum number of elements of one mask, since its counter
                                                          ///< has 32 bits
};

/// result[i] = mask(i) * x[i], plus residual[i] unless that is null, for i in [begin, end). begin: a multiple of
/// kBlock. T: float, double, or uint16_t for the bits of bfloat16.
template <class T>
void apply_dropout(const DropoutMask& mask, const T* x, const T* residual, T* result, int64_t begin, int64_t end);

}  // namespace heed::kernels
