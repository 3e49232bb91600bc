#include "heed_torch/search/row_best.h"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include <torch/torch.h>

namespace heed::search {
namespace {

TEST(Logsumexp, EqualsTorchsOnAnyShape) {
  torch::manual_seed(1);
  const Tensor logits = torch::randn({3, 5, 1000}) * 10;
  EXPECT_TRUE(torch::allclose(logsumexp(logits), torch::logsumexp(logits, -1, true), 1e-6, 1e-5));
  EXPECT_EQ(logsumexp(logits).sizes(), (std::vector<int64_t>{3, 5, 1}));
  const Tensor many = torch::randn({4, 300, 701});
  EXPECT_TRUE(torch::allclose(logsumexp(many), torch::logsumexp(many, -1, true), 1e-6, 1e-5));
}

TEST(Logsumexp, BearsForbiddenAndGreatScores) {
  const double never = -std::numeric_limits<double>::infinity();
  const Tensor logits = torch::tensor({{never, 1000.0, 1000.0}}, torch::kFloat);
  EXPECT_FLOAT_EQ(logsumexp(logits).item<float>(), 1000.0F + 0.69314718F);
}

TEST(BestOfRows, EqualsTorchsTopk) {
  torch::manual_seed(2);
  for (const int64_t size : {5, 31, 32, 33, 1000}) {
    const Tensor logits = torch::randn({7, size});
    for (const int64_t count : {int64_t{1}, int64_t{3}, std::min<int64_t>(size, 20), size}) {
      const RowBest best = best_of_rows(logits, count);
      const auto [values, tokens] = torch::topk(logits, count, -1);
      EXPECT_TRUE(torch::equal(best.logits, values)) << size << " " << count;
      EXPECT_TRUE(torch::equal(best.tokens, tokens)) << size << " " << count;
    }
  }
}

TEST(BestOfRows, EqualsComeInOrderOfTokens) {
  const RowBest best = best_of_rows(torch::tensor({{1.0F, 2.0F, 2.0F, 1.0F, 2.0F, 1.0F}}), 5);
  EXPECT_TRUE(torch::equal(best.tokens, torch::tensor({{1, 2, 4, 0, 3}})));
}

TEST(BestOfRows, ForbiddenTokensAreNeverChosen) {
  const float never = -std::numeric_limits<float>::infinity();
  const RowBest best = best_of_rows(torch::tensor({{never, never, 0.5F, never}}), 3);
  EXPECT_TRUE(torch::equal(best.tokens, torch::tensor({{2, 0, 0}})));
  EXPECT_TRUE(torch::equal(best.logits, torch::tensor({{0.5F, never, never}})));
}

TEST(BestOfRows, TakesHalfPrecisionAndViews) {
  const Tensor logits = torch::tensor({{1.0F, 3.0F}, {2.0F, 0.0F}}).to(torch::kBFloat16).t();
  const RowBest best = best_of_rows(logits, 1);
  EXPECT_TRUE(torch::equal(best.tokens, torch::tensor({{1}, {0}})));
  EXPECT_EQ(best.logits.scalar_type(), torch::kFloat);
}

TEST(BestOfRows, RefusesAWrongCount) {
  EXPECT_THROW(best_of_rows(torch::zeros({2, 3}), 4), c10::Error);
  EXPECT_THROW(best_of_rows(torch::zeros({2, 3}), 0), c10::Error);
  EXPECT_THROW(best_of_rows(torch::zeros({2}), 1), c10::Error);
}

}  // namespace
}  // namespace heed::search
