// Loops over rows of any length inside vector code (vector_code.h); the last vector of a row may have fewer real lanes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "heed/kernels/vector_code.h"

namespace heed::kernels {

/// Calls step(i, lanes) for the numbers [i, i + lanes), up to `count`.
template <class Step>
[[gnu::always_inline]] inline void for_each_vector(int64_t count, const Step& step) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) step(i, kLanes);
  if (i < count) step(i, count - i);
}

/// Calls use(lanes, from, count) along a row. If the last call has fewer than kLanes numbers, `fill` pads the lanes.
template <class R, class Use>
[[gnu::always_inline]] inline void for_lanes(float* row, int64_t size, float fill, const Use& use) {
  for_each_vector(size, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
    typename R::Float lanes;
    load_some(lanes, row + i, count, fill);
    use(lanes, row + i, count);
  });
}

/// Sums in float within stretches of a row, and in double across them, so that large vocabularies lose no precision.
template <class R>
struct Sum {
  static constexpr int64_t kStretch = 32;
  using Float = R::Float;
  Float stretch{};
  R::Double total{};
  int64_t added = 0;

  [[gnu::always_inline]] void add(const Float& lanes) {
    stretch += lanes;
    if (++added % kStretch == 0) flush();
  }
  [[gnu::always_inline]] void flush() {
    total += convert<double>(stretch);
    stretch = Float{};
  }
  [[gnu::always_inline]] double value() {
    flush();
    double sum = 0;
    for (int64_t i = 0; i < kLanes; ++i) sum += total[i];
    return sum;
  }
};

/// Returns a row's largest number; sets `sum` to the sum of all.
template <class R>
[[gnu::always_inline]] inline float largest_and_sum(float* row, int64_t size, double& sum) {
  using Float = R::Float;
  Float top = row[0];
  Sum<R> numbers;
  for_lanes<R>(row, size, 0, [&] [[gnu::always_inline]] (const Float& z, float*, int64_t count) {
    numbers.add(z);
    if (count == kLanes) top = larger(z, top);
  });
  float result = top[0];
  for (int64_t i = 1; i < kLanes; ++i) result = std::max(result, top[i]);
  for (int64_t v = size / kLanes * kLanes; v < size; ++v) result = std::max(result, row[v]);
  sum = numbers.value();
  return result;
}

}  // namespace heed::kernels
