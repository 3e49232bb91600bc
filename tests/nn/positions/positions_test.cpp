#include "heed_torch/nn/positions/positions.h"

#include <gtest/gtest.h>

#include <cmath>

#include <torch/torch.h>

#include "heed_torch/nn/masks.h"

namespace heed::nn {
namespace {

TEST(SinusoidalPositions, AreTheFormulaOfThePaper) {
  const Tensor table = sinusoidal_positions(at::arange(50), 6, at::kFloat);
  for (const int64_t t : {0, 1, 7, 49}) {
    for (int64_t i = 0; i < 3; ++i) {
      const double angle = double(t) / std::pow(10000, 2 * double(i) / 6);
      EXPECT_NEAR(table[t][2 * i].item<double>(), std::sin(angle), 1e-6);
      EXPECT_NEAR(table[t][2 * i + 1].item<double>(), std::cos(angle), 1e-6);
    }
  }
}

TEST(Positions, OnePositionEqualsThatOfTheWholeSentence) {
  const std::vector<PositionOptions> kinds = {NoPositions{}, SinusoidalPositions{}, LearnedPositions{.max_length = 9},
                                              RelativePositionOptions{}, RotaryPositions{}};
  for (const PositionOptions& kind : kinds) {
    Positions positions(kind, 4);
    for (auto& parameter : positions->parameters()) at::NoGradGuard(), parameter.normal_();
    const Tensor x = at::randn({2, 9, 4});
    const Tensor all = positions(x);
    const Tensor some = at::stack({x[0][3], x[1][8]}).unsqueeze(1);
    const Tensor found = positions->at_position(some, at::tensor({3, 8}, at::kLong));
    EXPECT_TRUE(at::allclose(found[0][0], all[0][3]));
    EXPECT_TRUE(at::allclose(found[1][0], all[1][8]));
  }
}

TEST(Positions, ASentenceLongerThanTheLearnedPositionsIsAnError) {
  Positions positions(LearnedPositions{.max_length = 3}, 4);
  EXPECT_THROW(positions(at::zeros({1, 4, 4})), c10::Error);
}

TEST(Masks, KeysAreSeenByEveryQueryAndTheFutureByNone) {
  const Tensor tokens = at::tensor({5, 3, 0, 0, 0, 0}, at::kLong).view({2, 3});
  const AttentionMask keys = AttentionMask::of_keys(real_tokens(tokens), at::kFloat);
  EXPECT_TRUE(at::equal(keys.allowed.view({2, 3}).to(at::kInt), at::tensor({1, 1, 0, 0, 0, 0}, at::kInt).view({2, 3})));
  EXPECT_TRUE(at::equal(keys.blind.flatten().to(at::kInt), at::tensor({0, 1}, at::kInt)));
  const AttentionMask causal = AttentionMask::causal(3, at::zeros({1}));
  const Tensor expected = at::tensor({1, 0, 0, 1, 1, 0, 1, 1, 1}, at::kInt).view({3, 3});
  EXPECT_TRUE(at::equal(causal.allowed[0][0].to(at::kInt), expected));
  EXPECT_EQ(causal.bias[0][0][0][1].item<double>(), AttentionMask::kForbidden);
  EXPECT_EQ(causal.bias[0][0][1][0].item<double>(), 0);
}

}  // namespace
}  // namespace heed::nn
