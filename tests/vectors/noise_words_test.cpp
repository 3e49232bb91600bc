#include "heed/vectors/word_counts.h"

#include <gtest/gtest.h>

#include <array>

namespace heed::vectors {
namespace {

TEST(NoiseWords, AreDrawnInProportionToThePowerOfThreeQuarters) {
  const NoiseWords noise({16, 1, 0, 81});  // 8 : 1 : 0 : 27
  RandomStream random(5, Purpose::Test);
  std::array<int, 4> drawn{};
  constexpr int kDraws = 36000;
  for (int i = 0; i < kDraws; ++i) ++drawn.at(static_cast<size_t>(noise.draw(random)));
  EXPECT_NEAR(drawn[0], 8000, 350);
  EXPECT_NEAR(drawn[1], 1000, 150);
  EXPECT_EQ(drawn[2], 0);
  EXPECT_NEAR(drawn[3], 27000, 400);
}

}  // namespace
}  // namespace heed::vectors
