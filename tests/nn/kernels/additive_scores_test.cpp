#include "heed_torch/nn/fused/additive_scores.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/values.h"

namespace heed::nn {
namespace {

// q = 1, k = 0.5 and -3, v = 2 in one unit, and nothing in the 15 others: 2 tanh 1.5 = 1.810297, 2 tanh -2 = -1.928055.
TEST(AdditiveScores, ByHand) {
  Tensor keys = at::zeros({1, 2, 16}), vector = at::zeros({1, 16}), query = at::zeros({1, 1, 16});
  keys[0][0][3] = 0.5;
  keys[0][1][3] = -3;
  vector[0][3] = 2;
  query[0][0][3] = 1;
  const Tensor scores = AdditiveScores(keys, vector)(query);
  EXPECT_LT(largest_difference(scores, at::tensor({1.810297F, -1.928055F}).view({1, 1, 2})), 1e-6);
}

/// Scores of three steps, of which each depends on the one before, and all gradients.
std::vector<Tensor> three_steps(const Tensor& query, const Tensor& keys, const Tensor& vector, bool ours) {
  const AdditiveScores scores(keys, vector);
  const auto step = [&](const Tensor& asked) {
    if (ours) return scores(asked);
    return at::matmul((asked.unsqueeze(2) + keys.unsqueeze(1)).tanh(), vector.t()).squeeze(-1);
  };
  std::vector<Tensor> all;
  Tensor asked = query, loss = at::zeros({}, query.options());
  for (int i = 0; i < 3; ++i) {
    const Tensor made = step(asked);
    asked = asked + at::bmm(made.softmax(-1), keys);
    loss = loss + (made * random(made.sizes(), 5 + i).to(made.scalar_type())).sum();
    all.push_back(made.detach());
  }
  for (const Tensor& gradient : torch::autograd::grad({loss}, {query, keys, vector})) all.push_back(gradient);
  return all;
}

class AdditiveScoresOf : public ::testing::TestWithParam<int64_t> {};  // hidden units

TEST_P(AdditiveScoresOf, EqualSeparateOperationsInDouble) {
  const int64_t hidden = GetParam();
  const auto variable = [](const Tensor& x, at::ScalarType type) { return x.to(type).detach().requires_grad_(); };
  std::vector<std::vector<Tensor>> found;
  for (const auto type : {at::kFloat, at::kDouble}) {
    found.push_back(three_steps(variable(random({3, 2, hidden}, 1), type), variable(random({3, 7, hidden}, 2), type),
                                variable(random({1, hidden}, 3), type), type == at::kFloat));
  }
  for (size_t i = 0; i < found[0].size(); ++i) {
    const double size = std::max(1.0, found[1][i].abs().max().item<double>());
    EXPECT_LT(largest_difference(found[0][i].to(at::kDouble), found[1][i]), 4e-6 * size) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Hidden, AdditiveScoresOf, ::testing::Values(16, 64, 20));

TEST(AdditiveScores, OfLargeSumsAreTheSignedSumOfTheVector) {
  const Tensor keys = at::full({1, 1, 16}, 1e30), vector = random({1, 16}, 1);
  for (const double sign : {1., -1.}) {
    const Tensor scores = AdditiveScores(keys * sign, vector)(at::zeros({1, 1, 16}));
    EXPECT_NEAR(scores.item<double>(), sign * vector.sum().item<double>(), 1e-5);
  }
  const Tensor none = AdditiveScores(keys * std::nan(""), vector)(at::zeros({1, 1, 16}));
  EXPECT_TRUE(none.isnan().item<bool>());
}

TEST(AdditiveScores, GiveTheSameGradientsInASecondBackwardPass) {
  const Tensor query = random({2, 1, 16}, 1).requires_grad_(), keys = random({2, 3, 16}, 2).requires_grad_();
  const Tensor vector = random({1, 16}, 3).requires_grad_();
  const Tensor sum = AdditiveScores(keys, vector)(query).sum();
  const auto grad = [&](const std::vector<Tensor>& inputs) {
    return torch::autograd::grad({sum}, inputs, {}, /*retain_graph=*/true);
  };
  const auto first = grad({query, keys, vector});
  grad({query});  // leaves nothing behind
  const auto again = grad({query, keys, vector});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], again[i])) << i;
}

TEST(AdditiveScores, RefuseAQueryThatDoesNotFit) {
  const AdditiveScores scores(random({2, 3, 16}, 1), random({1, 16}, 2));
  EXPECT_THROW(scores(random({3, 1, 16}, 3)), c10::Error);
  EXPECT_THROW(scores(random({2, 1, 8}, 3)), c10::Error);
  EXPECT_THROW(scores(random({2, 1, 16}, 3).to(at::kDouble)), c10::Error);
}

TEST(AdditiveScores, DoNotDependOnTheNumberOfThreads) {
  const auto run = [&](int threads) {
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    const Tensor query = random({16, 1, 64}, 1).requires_grad_(), keys = random({16, 30, 64}, 2).requires_grad_();
    const Tensor vector = random({1, 64}, 3).requires_grad_();
    const Tensor scores = AdditiveScores(keys, vector)(query);
    auto all = torch::autograd::grad({scores}, {query, keys, vector}, {random({16, 1, 30}, 4)});
    all.push_back(scores.detach());
    at::set_num_threads(before);
    return all;
  };
  const auto one = run(1), two = run(2);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(at::equal(one[i], two[i])) << i;
}

TEST(AdditiveScores, GiveNoGradientToWhatWantsNone) {
  const Tensor keys = random({2, 3, 16}, 1), vector = random({1, 16}, 2);
  const Tensor query = random({2, 1, 16}, 3).requires_grad_();
  AdditiveScores(keys, vector)(query).sum().backward();
  EXPECT_TRUE(query.grad().defined());
  EXPECT_FALSE(keys.grad().defined());
  const at::NoGradGuard no_grad;
  EXPECT_FALSE(AdditiveScores(keys, vector)(query).requires_grad());
}

}  // namespace
}  // namespace heed::nn
