#include "heed/kernels/row_kernels.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace heed::engine {
namespace {

std::vector<float> waves(int64_t count) {
  std::vector<float> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(3 * std::sin(0.7 * static_cast<double>(i))));
  return numbers;
}

TEST(RowKernels, BytesAreTheNearestOfTheRowsScale) {
  const auto x = waves(2 * 21);
  std::vector<uint32_t> groups(2 * 6);
  float scale[2];
  kernels::quantize_rows(x.data(), 21, 2, 21, groups.data(), 6, scale);
  const auto* bytes = reinterpret_cast<const uint8_t*>(groups.data());
  for (size_t row = 0; row < 2; ++row) {
    for (size_t i = 0; i < 21; ++i) {
      const float back = scale[row] * (static_cast<float>(bytes[row * 24 + i]) - 128);
      EXPECT_NEAR(back, x[row * 21 + i], scale[row] * 0.5001f);
    }
    for (size_t i = 21; i < 24; ++i) EXPECT_EQ(bytes[row * 24 + i], 128) << "filled up with zeros";
  }
}

TEST(RowKernels, TheLargestNumberOfARowGetsTheLargestByte) {
  const std::vector<float> x{0.5f, -2, 1, 2};
  for (const int largest : {127, 63}) {
    std::vector<uint32_t> groups(1);
    float scale;
    kernels::quantize_rows(x.data(), 4, 1, 4, groups.data(), 1, &scale, largest);
    const auto* bytes = reinterpret_cast<const uint8_t*>(groups.data());
    EXPECT_EQ(scale, 2.0f / static_cast<float>(largest));
    EXPECT_EQ(bytes[1], 128 - largest);
    EXPECT_EQ(bytes[3], 128 + largest);
  }
}

TEST(RowKernels, ARowWithoutNumbersHasNoNumberAsItsScale) {
  for (const int64_t place : {0, 15, 16, 20}) {  // in whole vectors and behind them
    for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                              -std::numeric_limits<float>::infinity()}) {
      auto x = waves(2 * 21);
      x[static_cast<size_t>(place)] = wrong;
      std::vector<uint32_t> groups(2 * 6);
      float scale[2];
      kernels::quantize_rows(x.data(), 21, 2, 21, groups.data(), 6, scale);
      EXPECT_EQ(std::isnan(scale[0]), std::isnan(wrong));
      EXPECT_FALSE(std::isfinite(scale[0])) << place;
      EXPECT_TRUE(std::isfinite(scale[1])) << "of the row beside it";
    }
  }
}

TEST(RowKernels, RoundsToTheNearestBFloat16TiesToEven) {
  const std::vector<float> x{1.0f, 1.00390625f, 1.01171875f, -3.14159274f};
  std::vector<uint32_t> groups(2);
  kernels::round_rows(x.data(), 4, 1, 4, groups.data(), 2);
  uint16_t halves[4];
  std::memcpy(halves, groups.data(), sizeof halves);
  EXPECT_EQ(halves[0], 0x3f80);
  EXPECT_EQ(halves[1], 0x3f80) << "the tie below";
  EXPECT_EQ(halves[2], 0x3f82) << "the tie above";
  EXPECT_EQ(halves[3], 0xc049);
}

TEST(RowKernels, NormsAreThoseOfTheFormulas) {
  const int64_t width = 37;
  const auto x = waves(2 * width), weight = waves(width), bias = waves(width + 1);
  for (const bool layer : {true, false}) {
    std::vector<float> y(static_cast<size_t>(2 * width));
    kernels::norm_rows(x.data(), 2, width, width, {weight.data(), layer ? bias.data() : nullptr, 1e-5}, y.data());
    for (size_t row = 0; row < 2; ++row) {
      const float* from = x.data() + row * static_cast<size_t>(width);
      double mean = 0, squares = 0;
      for (int64_t i = 0; layer && i < width; ++i) mean += static_cast<double>(from[i]) / static_cast<double>(width);
      for (int64_t i = 0; i < width; ++i) squares += std::pow(static_cast<double>(from[i]) - mean, 2);
      const double factor = 1 / std::sqrt(squares / static_cast<double>(width) + 1e-5);
      for (size_t i = 0; i < static_cast<size_t>(width); ++i) {
        const double normal = (static_cast<double>(from[i]) - mean) * factor * static_cast<double>(weight[i]);
        EXPECT_NEAR(y[row * static_cast<size_t>(width) + i], normal + (layer ? static_cast<double>(bias[i]) : 0), 1e-5);
      }
    }
  }
}

TEST(RowKernels, FunctionsAreThoseOfTheFormulas) {
  const auto x = waves(35);
  auto gelus = x, silus = x, sigmoids = x, tangents = x;
  kernels::gelu(gelus.data(), 35);
  kernels::silu(silus.data(), 35);
  kernels::sigmoid(sigmoids.data(), 35);
  kernels::hyperbolic_tangent(tangents.data(), 35);
  for (size_t i = 0; i < x.size(); ++i) {
    const auto wide = static_cast<double>(x[i]);
    const double logistic = 1 / (1 + std::exp(-wide));
    EXPECT_NEAR(gelus[i], wide * 0.5 * std::erfc(-wide / std::sqrt(2.0)), 1e-6);
    EXPECT_NEAR(silus[i], wide * logistic, 1e-6);
    EXPECT_NEAR(sigmoids[i], logistic, 1e-6);
    EXPECT_NEAR(tangents[i], std::tanh(wide), 1e-6);
  }
}

}  // namespace
}  // namespace heed::engine
