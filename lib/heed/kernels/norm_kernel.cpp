#include "heed/kernels/norm_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

// The sum of all lanes, in fewer steps than sum_of_lanes, whose order decides the bits of other kernels.
template <class Float>
[[gnu::always_inline]] inline float folded(const Float& lanes) {
  using Quarter [[gnu::vector_size(16)]] = float;
  Quarter quarter[4];
  static_assert(sizeof lanes == sizeof quarter);
  std::memcpy(&quarter, &lanes, sizeof lanes);
  const Quarter sum = (quarter[0] + quarter[1]) + (quarter[2] + quarter[3]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

struct Normalize {
  RoundedNorm norm;
  uint16_t* y;
  int64_t begin, end;

  struct Statistics {
    float mean, factor;
  };

  // From the sums of x - s and its squares, in one pass. s: the first number of the row, near the mean if the variance
  // is small.
  template <class R>
  [[gnu::always_inline]] Statistics statistics(const uint16_t* row) const {
    using Float = R::Float;
    const float shift = norm.bias == nullptr ? 0 : std::bit_cast<float>(uint32_t{row[0]} << 16);
    Float sum{}, squares{};
    for_each_vector(norm.width, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
      Float number;
      load_some_bfloat16(number, row + i, lanes, norm.bias == nullptr ? uint16_t{0} : row[0]);
      number -= shift;
      sum += number;
      squares += number * number;
    });
    const auto count = static_cast<float>(norm.width);
    const float mean = norm.bias == nullptr ? 0 : folded(sum) / count;
    const float variance = std::max(0.f, folded(squares) / count - mean * mean);
    return {.mean = mean + shift, .factor = 1 / std::sqrt(variance + static_cast<float>(norm.epsilon))};
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Float = R::Float;
    for (int64_t row = begin; row < end; ++row) {
      const uint16_t* from = norm.x + row * norm.width;
      const auto [mean, factor] = statistics<R>(from);
      for_each_vector(norm.width, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
        Float number, weight, bias{};
        load_some_bfloat16(number, from + i, lanes);
        load_some(weight, norm.weight + i, lanes);
        if (norm.bias != nullptr) load_some(bias, norm.bias + i, lanes);
        store_some_rounded(y + row * norm.width + i, (number - mean) * factor * weight + bias, lanes);
      });
      if (norm.bias != nullptr) norm.mean[row] = mean;
      norm.factor[row] = factor;
    }
  }
};

struct NormalizeBackward {
  RoundedNorm norm;
  RoundedNormGradients gradients;
  int64_t begin, end;

  // The numbers of one vector of a row.
  template <class R>
  struct Numbers {
    R::Float normalized;  // (x - mean) * factor
    R::Float of_y;        // the gradient of y
    R::Float weighted;    // the gradient of y, times the weight: 0 in lanes after the last one
  };
  template <class R>
  [[gnu::always_inline]] void read(int64_t row, float mean, int64_t i, int64_t lanes, Numbers<R>& numbers) const {
    const int64_t at = row * norm.width + i;
    typename R::Float weight;
    load_some(weight, norm.weight + i, lanes);
    load_some_bfloat16(numbers.normalized, norm.x + at, lanes);
    load_some_bfloat16(numbers.of_y, gradients.y + at, lanes);
    numbers.normalized = (numbers.normalized - mean) * norm.factor[row];
    numbers.weighted = numbers.of_y * weight;
  }

  template <class R>
  [[gnu::always_inline]] static void add_to(float* sums, const R::Float& numbers, int64_t lanes) {
    typename R::Float sum;
    load_some(sum, sums, lanes);
    store_some(sums, sum + numbers, lanes);
  }

  // dx = factor (g - mean(g) - n mean(g n)) with g = dy * weight and n = (x - mean) factor; without a bias, mean(g) is
  // left out.
  template <class R>
  [[gnu::always_inline]] void one_row(int64_t row) const {
    using Float = R::Float;
    const float mean = norm.bias == nullptr ? 0 : norm.mean[row];
    Float sum{}, products{};
    for_each_vector(norm.width, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
      Numbers<R> numbers;
      read<R>(row, mean, i, lanes, numbers);
      sum += numbers.weighted;
      products += numbers.weighted * numbers.normalized;
      add_to<R>(gradients.weight + i, numbers.of_y * numbers.normalized, lanes);
      if (gradients.bias != nullptr) add_to<R>(gradients.bias + i, numbers.of_y, lanes);
    });
    const auto count = static_cast<float>(norm.width);
    const float mean_sum = norm.bias == nullptr ? 0 : folded(sum) / count;
    const float mean_product = folded(products) / count, factor = norm.factor[row];
    for_each_vector(norm.width, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
      Numbers<R> numbers;
      read<R>(row, mean, i, lanes, numbers);
      Float of_x = (numbers.weighted - mean_sum - numbers.normalized * mean_product) * factor;
      if (gradients.residual != nullptr) {
        Float added;
        load_some_bfloat16(added, gradients.residual + row * norm.width + i, lanes);
        of_x += added;
      }
      store_some_rounded(gradients.x + row * norm.width + i, of_x, lanes);
    });
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    std::fill(gradients.weight, gradients.weight + norm.width, 0.f);
    if (gradients.bias != nullptr) std::fill(gradients.bias, gradients.bias + norm.width, 0.f);
    for (int64_t row = begin; row < end; ++row) one_row<R>(row);
  }
};

}  // namespace

void normalize(const RoundedNorm& norm, uint16_t* y, int64_t begin, int64_t end) {
  run_vectorized(Normalize{norm, y, begin, end});
}

void normalize_backward(const RoundedNorm& norm, const RoundedNormGradients& gradients, int64_t begin, int64_t end) {
  run_vectorized(NormalizeBackward{norm, gradients, begin, end});
}

}  // namespace heed::kernels
