#include "heed/kernels/gemm_kernels.h"

#include <vector>

#include <gtest/gtest.h>

namespace heed::engine {
namespace {

TEST(ProductKernels, PanelsAreTakenOneRangeAtATime) {
  // One group of 1 float; W has 3 panels, column c is c.
  const std::vector<float> x{2, 3}, bias(96, 1);
  std::vector<float> weight(96);
  for (size_t c = 0; c < weight.size(); ++c) weight[c] = static_cast<float>(c);
  std::vector<float> y(2 * 64, -1);
  kernels::float_gemm({reinterpret_cast<const kernels::Group*>(x.data()), 1, 1}, 2,
                      {reinterpret_cast<const kernels::Group*>(weight.data()), 1}, {1, 3},
                      {.y = y.data(), .y_row = 64, .bias = bias.data() + 32});
  for (int64_t c = 0; c < 64; ++c) {
    EXPECT_EQ(y[static_cast<size_t>(c)], 2 * static_cast<float>(32 + c) + 1);
    EXPECT_EQ(y[static_cast<size_t>(64 + c)], 3 * static_cast<float>(32 + c) + 1);
  }
}

// The largest products of bytes that a weight of this processor may have, of one sign: sums of many need more than 16
// bits.
TEST(ProductKernels, BytesAreSummedWhole) {
  constexpr int64_t kRows = 9, kGroups = 48, kColumns = 2 * kernels::kPanel;
  const auto byte_of_x = [](int64_t row, int64_t i) { return row % 3 == 0 ? 255 : row % 3 == 1 ? 1 : (i * 37) % 256; };
  const int64_t largest = kernels::largest_weight_byte();
  const auto byte_of_weight = [largest](int64_t column, int64_t i) {
    return column % 3 == 0 ? largest : column % 3 == 1 ? -largest : (i * 59) % (2 * largest + 1) - largest;
  };
  std::vector<uint32_t> x(kernels::whole_tiles(kRows) * kGroups), weight(kColumns * kGroups);
  std::vector<int32_t> minus_sums(kColumns, 0);
  for (int64_t i = 0; i < 4 * kGroups; ++i) {
    const auto put = [i](std::vector<uint32_t>& into, int64_t group, int byte) {
      into[static_cast<size_t>(group)] |= static_cast<kernels::Group>(byte & 0xff) << (8 * (i % 4));
    };
    for (int64_t row = 0; row < kRows; ++row) put(x, row * kGroups + i / 4, static_cast<int>(byte_of_x(row, i)));
    for (int64_t column = 0; column < kColumns; ++column) {
      const auto byte = static_cast<int>(byte_of_weight(column, i));
      put(weight, (column / kernels::kPanel * kGroups + i / 4) * kernels::kPanel + column % kernels::kPanel, byte);
      minus_sums[static_cast<size_t>(column)] -= 128 * byte;
    }
  }
  const std::vector<float> ones(kColumns, 1), bias(kColumns, 0);
  std::vector<float> y(kRows * kColumns);
  kernels::int8_gemm({x.data(), kGroups, kGroups}, kRows, {weight.data(), kGroups}, {0, 2},
                     {.x = ones.data(), .weight = ones.data(), .minus_sums = minus_sums.data()},
                     {.y = y.data(), .y_row = kColumns, .bias = bias.data()});
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < kColumns; ++column) {
      int64_t sum = 0;
      for (int64_t i = 0; i < 4 * kGroups; ++i) sum += (byte_of_x(row, i) - 128) * byte_of_weight(column, i);
      EXPECT_EQ(y[static_cast<size_t>(row * kColumns + column)], static_cast<float>(sum)) << row << " " << column;
    }
  }
}

}  // namespace
}  // namespace heed::engine
