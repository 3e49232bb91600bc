#include "heed/kernels/row_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

/// The largest |x| of a row; NaN if one is NaN. Numbers without a sign have the order of their bits, in which infinity
/// is above all others and NaN above infinity.
template <class R>
[[gnu::always_inline]] inline void largest_size(const float* row, int64_t width, float& result) {
  using Float = R::Float;
  auto top = bits_as<int32_t>(Float{});
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    Float lanes;
    load(lanes, row + i);
    top = larger(bits_as<int32_t>(absolute(lanes)), top);
  }
  int32_t bits = 0;
  for (int64_t lane = 0; lane < kLanes; ++lane) bits = std::max(bits, top[lane]);
  for (; i < width; ++i) bits = std::max(bits, std::bit_cast<int32_t>(std::abs(row[i])));
  result = std::bit_cast<float>(bits);
}

/// Rounds to the nearest integer, ties to even, for |x| below 2^22.
template <int kWidth>
[[gnu::always_inline]] inline void round_to_bytes(const Lanes<float, kWidth>& x, Lanes<uint32_t, kWidth>& bytes) {
  constexpr float kRound = 12582912;  // 1.5 * 2^23
  bytes = (bits_as<uint32_t>(x + kRound) + 128u) & 0xffu;
}

struct QuantizeRows {
  const float* x;
  int64_t x_row, rows, width;
  Group* groups;
  int64_t row_groups;
  float* scale;
  float largest_byte;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Float = R::Float;
    using Unsigned = R::Unsigned;
    const int64_t row_bytes = 4 * row_groups;
    for (int64_t row = 0; row < rows; ++row) {
      const float* from = x + row * x_row;
      auto* to = reinterpret_cast<uint8_t*>(groups) + row * row_bytes;
      float largest;
      largest_size<R>(from, width, largest);
      scale[row] = largest / largest_byte;
      const float factor = largest > 0 ? largest_byte / largest : 0;
      int64_t i = 0;
      for (; i + kLanes <= width; i += kLanes) {
        Float lanes;
        load(lanes, from + i);
        Unsigned bytes;
        round_to_bytes(lanes * factor, bytes);
        store(to + i, convert<uint8_t>(bytes));
      }
      for (; i < width; ++i) {
        Unsigned byte;
        round_to_bytes(Float(from[i] * factor), byte);
        to[i] = static_cast<uint8_t>(byte[0]);
      }
      std::fill(to + width, to + row_bytes, uint8_t{128});
    }
  }
};

struct RoundRows {
  const float* x;
  int64_t x_row, rows, width;
  Group* groups;
  int64_t row_groups;

  template <class R>
  [[gnu::always_inline]] void run() const {
    const int64_t row_numbers = 2 * row_groups;
    for (int64_t row = 0; row < rows; ++row) {
      const float* from = x + row * x_row;
      auto* to = reinterpret_cast<uint16_t*>(groups) + row * row_numbers;
      int64_t i = 0;
      for (; i + kLanes <= width; i += kLanes) {
        typename R::Float lanes;
        load(lanes, from + i);
        store_rounded(to + i, lanes);
      }
      for (; i < width; ++i) {
        uint16_t rounded[kLanes];
        store_rounded(rounded, typename R::Float(from[i]));
        to[i] = rounded[0];
      }
      std::fill(to + width, to + row_numbers, uint16_t{0});
    }
  }
};

/// The sum over a row of (x - mean)^2, or of x - mean with power 1.
template <class R, int kPower>
[[gnu::always_inline]] inline void sum_of(const float* row, int64_t width, float mean, float& result) {
  using Float = R::Float;
  Float sum{};
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    Float lanes;
    load(lanes, row + i);
    if constexpr (kPower == 2) {
      lanes -= mean;
      lanes *= lanes;
    }
    sum += lanes;
  }
  result = sum_of_lanes(sum);
  for (; i < width; ++i) result += kPower == 2 ? (row[i] - mean) * (row[i] - mean) : row[i];
}

struct NormRows {
  const float* x;
  int64_t rows, width, distance;
  const NormWeights& norm;
  float* y;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t row = 0; row < rows; ++row) {
      const float* from = x + row * distance;
      float* to = y + row * distance;
      float mean = 0, squares;
      if (norm.bias != nullptr) {
        sum_of<R, 1>(from, width, 0, mean);
        mean /= static_cast<float>(width);
      }
      sum_of<R, 2>(from, width, mean, squares);
      const float factor = 1 / std::sqrt(squares / static_cast<float>(width) + static_cast<float>(norm.epsilon));
      int64_t i = 0;
      for (; i + kLanes <= width; i += kLanes) {
        typename R::Float lanes, weight, bias{};
        load(lanes, from + i);
        load(weight, norm.weight + i);
        if (norm.bias != nullptr) load(bias, norm.bias + i);
        store(to + i, (lanes - mean) * factor * weight + bias);
      }
      for (; i < width; ++i) {
        to[i] = (from[i] - mean) * factor * norm.weight[i] + (norm.bias != nullptr ? norm.bias[i] : 0);
      }
    }
  }
};

template <class Function>
struct EachNumber {
  float* x;
  int64_t count;
  Function function;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Float = R::Float;
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      Float lanes;
      load(lanes, x + i);
      function(lanes);
      store(x + i, lanes);
    }
    if (i == count) return;
    Float rest{};
    std::memcpy(&rest, x + i, static_cast<size_t>(count - i) * sizeof(float));
    function(rest);
    std::memcpy(x + i, &rest, static_cast<size_t>(count - i) * sizeof(float));
  }
};
template <class Function>
void for_each_number(float* x, int64_t count, Function function) {
  run_vectorized(EachNumber<Function>{x, count, function});
}

struct Multiply {
  float* x;
  const float* y;
  int64_t count;
  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = 0; i < count; ++i) x[i] *= y[i];
  }
};

}  // namespace

void round_rows(const float* x, int64_t x_row, int64_t rows, int64_t width, Group* groups, int64_t row_groups) {
  run_vectorized(RoundRows{x, x_row, rows, width, groups, row_groups});
}

void quantize_rows(const float* x, int64_t x_row, int64_t rows, int64_t width, Group* groups, int64_t row_groups,
                   float* scale, int largest_byte) {
  run_vectorized(QuantizeRows{x, x_row, rows, width, groups, row_groups, scale, static_cast<float>(largest_byte)});
}

void norm_rows(const float* x, int64_t rows, int64_t width, int64_t row, const NormWeights& norm, float* y) {
  run_vectorized(NormRows{x, rows, width, row, norm, y});
}

void gelu(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) x[i] *= 0.5f * std::erfc(-x[i] * 0.70710678118654752f);
}
void silu(float* x, int64_t count) {
  for_each_number(x, count, [](auto& lanes) __attribute__((always_inline)) {
    auto share = lanes;
    logistic(share);
    lanes *= share;
  });
}
void sigmoid(float* x, int64_t count) {
  for_each_number(x, count, [](auto& lanes) __attribute__((always_inline)) { logistic(lanes); });
}
void hyperbolic_tangent(float* x, int64_t count) {
  for_each_number(x, count, [](auto& lanes) __attribute__((always_inline)) { hyperbolic_tangent(lanes); });
}
void multiply(float* x, const float* y, int64_t count) { run_vectorized(Multiply{x, y, count}); }

}  // namespace heed::kernels
