#include "heed/metrics/significance/resampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "heed/core/error.h"

namespace heed::metrics {
namespace {

using Uint128 = unsigned __int128;

constexpr int kMantissaBits = 53;
constexpr int kLowestExponent = -1074;  // of the lowest bit of a double

/// An exact sum of non-negative doubles: an integer multiple of 2^-1074, in 64-bit limbs.
class ExactSum {
 public:
  /// value: not negative.
  void add(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, kMantissaBits));
    int shift = exponent - kMantissaBits - kLowestExponent;
    if (shift < 0) {  // subnormal: these bits are zero
      mantissa >>= -shift;
      shift = 0;
    }
    const auto limb = static_cast<size_t>(shift) / 64;
    const Uint128 shifted = Uint128{mantissa} << (shift % 64);
    add_at(limb, static_cast<uint64_t>(shifted));
    add_at(limb + 1, static_cast<uint64_t>(shifted >> 64));
  }

  bool less_than(const ExactSum& other) const {
    return std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(), other.limbs_.rend());
  }

  void subtract(const ExactSum& smaller) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < limbs_.size(); ++i) {
      const Uint128 taken = Uint128{smaller.limbs_[i]} + borrow;
      borrow = limbs_[i] < taken ? 1 : 0;
      limbs_[i] -= static_cast<uint64_t>(taken);
    }
  }

  /// The quotient, rounded to the nearest double; ties to even.
  double divided_by(uint64_t divisor) const {
    auto quotient = limbs_;
    uint64_t remainder = 0;
    for (size_t i = quotient.size(); i-- > 0;) {
      const Uint128 dividend = (Uint128{remainder} << 64) | quotient[i];
      quotient[i] = static_cast<uint64_t>(dividend / divisor);
      remainder = static_cast<uint64_t>(dividend % divisor);
    }
    return rounded(quotient, remainder != 0);
  }

 private:
  // Range: 2^-1074 to 2^64, for up to 2^50 numbers.
  using Limbs = std::array<uint64_t, (1074 + 64 + 50) / 64 + 2>;

  void add_at(size_t limb, uint64_t value) {
    for (; value != 0; ++limb) {
      limbs_.at(limb) += value;
      value = limbs_[limb] < value ? 1 : 0;
    }
  }

  static bool bit(const Limbs& limbs, int position) {
    return (limbs[static_cast<size_t>(position) / 64] >> (position % 64)) & 1;
  }

  static double rounded(const Limbs& limbs, bool more_below) {
    int top = static_cast<int>(limbs.size()) * 64 - 1;
    while (top >= 0 && !bit(limbs, top)) --top;
    const int lowest = std::max(0, top - kMantissaBits + 1);
    uint64_t mantissa = 0;
    for (int i = top; i >= lowest; --i) mantissa = mantissa * 2 + bit(limbs, i);
    const bool half = lowest > 0 && bit(limbs, lowest - 1);
    for (int i = lowest - 2; i >= 0 && !more_below; --i) more_below = bit(limbs, i);
    if (half && (more_below || mantissa % 2 == 1)) ++mantissa;
    return std::ldexp(static_cast<double>(mantissa), lowest + kLowestExponent);
  }

  Limbs limbs_{};
};

constexpr size_t kUnrolled = 8;
constexpr size_t kBlock = 128;

double pairwise_sum(std::span<const double> values) {
  const size_t count = values.size();
  if (count > kBlock) {
    const size_t half = count / 2 / kUnrolled * kUnrolled;
    return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
  }
  double sum = 0;
  size_t i = 0;
  if (count >= kUnrolled) {
    std::array<double, kUnrolled> r{};
    for (; i + kUnrolled <= count; i += kUnrolled) {
      for (size_t k = 0; k < kUnrolled; ++k) r[k] = i == 0 ? values[k] : r[k] + values[i + k];
    }
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; i < count; ++i) sum += values[i];
  return sum;
}

}  // namespace

double exact_mean(std::span<const double> values) {
  check(!values.empty(), "the mean of no numbers");
  ExactSum positive;
  ExactSum negative;
  for (const double value : values) (value < 0 ? negative : positive).add(std::abs(value));
  const bool below_zero = positive.less_than(negative);
  if (below_zero) std::swap(positive, negative);
  positive.subtract(negative);
  const double mean = positive.divided_by(values.size());
  return below_zero ? -mean : mean;
}

double numpy_mean(std::span<const double> values) {
  check(!values.empty(), "the mean of no numbers");
  constexpr size_t kBuffer = 8192;
  double sum = 0;
  for (size_t i = 0; i < values.size(); i += kBuffer) {
    sum += pairwise_sum(values.subspan(i, std::min(kBuffer, values.size() - i)));
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace heed::metrics
