#include "heed/engine/common/matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/drawn.h"

namespace heed::engine {
namespace {

constexpr Precision kPrecisions[] = {Precision::Float32, Precision::BFloat16, Precision::Int8};

Weight weight_of(const std::vector<float>& numbers, int64_t columns) {
  return {.numbers = numbers, .rows = std::ssize(numbers) / columns, .columns = columns};
}

void fill(Rows& rows, int64_t count, int64_t width, const std::vector<float>& numbers) {
  rows.resize(count, width);
  for (int64_t i = 0; i < count; ++i) std::copy_n(numbers.begin() + i * width, width, rows.row(i));
}

/// x W^T + b in double precision.
double expected_at(const std::vector<float>& x, const std::vector<float>& w, const std::vector<float>& b, int64_t in,
                   int64_t row, int64_t column) {
  double sum = b.empty() ? 0 : static_cast<double>(b[static_cast<size_t>(column)]);
  for (int64_t i = 0; i < in; ++i) {
    sum += static_cast<double>(x[static_cast<size_t>(row * in + i)]) *
           static_cast<double>(w[static_cast<size_t>(column * in + i)]);
  }
  return sum;
}

/// How far a product of so many numbers below 1 may be off: what rounding each factor makes of it, on average.
double tolerance(Precision precision, int64_t in) {
  const double root = std::sqrt(static_cast<double>(in));
  if (precision == Precision::Float32) return 1e-6 * root;
  return (precision == Precision::BFloat16 ? 0.01 : 0.02) * root;
}

TEST(Matrix, MultipliesRowsOfAnyNumberAndWidth) {
  for (const Precision precision : kPrecisions) {
    for (const auto [rows, in, out] : std::vector<std::array<int64_t, 3>>{
             {1, 1, 1}, {5, 7, 33}, {12, 16, 32}, {13, 31, 64}, {30, 130, 70}, {11, 64, 5}}) {
      const auto x = drawn(rows * in, 1), w = drawn(out * in, 2), b = drawn(out, 3);
      const Weight bias = weight_of(b, out);
      const Matrix matrix(weight_of(w, in), &bias, precision);
      Rows left, y;
      fill(left, rows, in, x);
      Operand operand(precision);
      operand.take(left);
      matrix.multiply(operand, y);
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < out; ++j) {
          EXPECT_NEAR(y.row(i)[j], expected_at(x, w, b, in, i, j), tolerance(precision, in))
              << static_cast<int>(precision) << ' ' << rows << ' ' << in << ' ' << out;
        }
      }
    }
  }
}

TEST(Matrix, AddsTheResidualBehindTheActivation) {
  for (const Precision precision : kPrecisions) {
    const auto x = drawn(6 * 20, 1), w = drawn(20 * 20, 2), r = drawn(6 * 20, 4);
    const Matrix matrix(weight_of(w, 20), nullptr, precision);
    Rows left, y;
    fill(left, 6, 20, x);
    fill(y, 6, 20, r);
    Operand operand(precision);
    operand.take(left);
    matrix.multiply(operand, y, {.relu = true, .residual = &y});
    for (int64_t i = 0; i < 6; ++i) {
      for (int64_t j = 0; j < 20; ++j) {
        const double sum = expected_at(x, w, {}, 20, i, j);
        const double wanted = std::max(sum, 0.0) + static_cast<double>(r[static_cast<size_t>(i * 20 + j)]);
        EXPECT_NEAR(y.row(i)[j], wanted, tolerance(precision, 20));
      }
    }
  }
}

TEST(Matrix, NoPrecisionMakesNumbersOfNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const Precision precision : kPrecisions) {
    for (const auto& [wrong, relu] : {std::pair{nan, false}, std::pair{nan, true}, std::pair{infinity, false}}) {
      auto x = drawn(14 * 40, 1);
      x[5 * 40 + 7] = wrong;
      const auto w = drawn(33 * 40, 2);
      const Matrix matrix(weight_of(w, 40), nullptr, precision);
      Rows left, y;
      fill(left, 14, 40, x);
      Operand operand(precision);
      operand.take(left);
      matrix.multiply(operand, y, {.relu = relu});
      for (int64_t i = 0; i < 14; ++i) {
        for (int64_t j = 0; j < 33; ++j) {
          EXPECT_EQ(std::isfinite(y.row(i)[j]), i != 5) << static_cast<int>(precision) << ' ' << relu << ' ' << wrong;
        }
      }
    }
  }
}

TEST(Matrix, ARowHasTheSameBitsAloneAndBesideOthers) {
  for (const Precision precision : kPrecisions) {
    const int64_t rows = 29, in = 70, out = 45;
    const auto x = drawn(rows * in, 1), w = drawn(out * in, 2);
    const Matrix matrix(weight_of(w, in), nullptr, precision);
    Rows all, together, one, alone;
    Operand operand(precision);
    fill(all, rows, in, x);
    operand.take(all);
    matrix.multiply(operand, together);
    for (int64_t i = 0; i < rows; ++i) {
      fill(one, 1, in, {x.begin() + i * in, x.begin() + (i + 1) * in});
      operand.take(one);
      matrix.multiply(operand, alone);
      EXPECT_TRUE(std::equal(alone.row(0), alone.row(0) + out, together.row(i))) << i;
    }
  }
}

TEST(Matrix, BytesAreExactWhereScalesAre) {
  // Whole numbers up to the largest byte, which is in each row: the scales are 1.
  const auto largest = static_cast<float>(kernels::largest_weight_byte());
  const std::vector<float> x{127, -3, 5, 0, 2, 1, -127, 100};
  const std::vector<float> w{largest, 1, 0, -2, 5, -largest, 3, 4, 0, 0, 0, largest};
  const Matrix matrix(weight_of(w, 4), nullptr, Precision::Int8);
  Rows left, y;
  fill(left, 2, 4, x);
  Operand operand(Precision::Int8);
  operand.take(left);
  matrix.multiply(operand, y);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 3; ++j) EXPECT_EQ(y.row(i)[j], expected_at(x, w, {}, 4, i, j)) << i << ' ' << j;
  }
}

TEST(Matrix, RowsOfZerosStayZeros) {
  const auto w = drawn(8 * 8, 2);
  for (const Precision precision : kPrecisions) {
    const Matrix matrix(weight_of(w, 8), nullptr, precision);
    Rows left, y;
    fill(left, 2, 8, std::vector<float>(16, 0));
    Operand operand(precision);
    operand.take(left);
    matrix.multiply(operand, y);
    for (int64_t j = 0; j < 8; ++j) EXPECT_EQ(y.row(1)[j], 0);
  }
}

}  // namespace
}  // namespace heed::engine
