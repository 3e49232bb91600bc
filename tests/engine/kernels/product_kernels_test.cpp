#include "heed/engine/kernels/product_kernels.h"

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
  float_product({reinterpret_cast<const Group*>(x.data()), 1, 1}, 2, {reinterpret_cast<const Group*>(weight.data()), 1},
                {1, 3}, {.y = y.data(), .y_row = 64, .bias = bias.data() + 32});
  for (int64_t c = 0; c < 64; ++c) {
    EXPECT_EQ(y[static_cast<size_t>(c)], 2 * static_cast<float>(32 + c) + 1);
    EXPECT_EQ(y[static_cast<size_t>(64 + c)], 3 * static_cast<float>(32 + c) + 1);
  }
}

}  // namespace
}  // namespace heed::engine
