#include "gradients/gradients.h"

#include <gtest/gtest.h>

namespace heed::benchmarks {
namespace {

TEST(Gradients, DistancesDouble) {
  EXPECT_EQ((GradientSettings{.longest = 20}.distances()), (std::vector<int64_t>{0, 1, 2, 4, 8, 16}));
}

TEST(Gradients, VanishThroughAVanillaNetworkAndNotThroughAttention) {
  const GradientSettings settings{.width = 16, .longest = 16, .sentences = 8, .seeds = 2};
  const auto curves = measure_gradients(settings);
  ASSERT_EQ(curves.size(), 4u);
  for (const GradientCurve& curve : curves) {
    EXPECT_EQ(curve.shares.size(), settings.distances().size());
    EXPECT_EQ(curve.shares.front(), 1) << curve.layer;
  }
  EXPECT_LT(curves[0].shares.back(), 0.01);  // vanilla
  for (const size_t gated : {1, 2})
    EXPECT_GT(curves[gated].shares.back(), curves[0].shares.back()) << curves[gated].layer;
  EXPECT_GT(curves[3].shares.back(), 0.5 * curves[3].shares[1]);  // self-attention: at 16 as at 1, but for chance
}

TEST(Gradients, TheTableHasARowForEachLayer) {
  const GradientSettings settings{.longest = 2};
  EXPECT_EQ(gradient_table(settings, {{.layer = "GRU", .shares = {1, 0.5, 0.00012}}}),
            "| layer | k = 0 | k = 1 | k = 2 |\n"
            "|---|---:|---:|---:|\n"
            "| GRU | 1 | 0.5 | 0.00012 |\n");
}

}  // namespace
}  // namespace heed::benchmarks
