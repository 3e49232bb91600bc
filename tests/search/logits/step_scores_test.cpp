#include "heed_torch/search/step_scores.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include <torch/torch.h>

namespace heed::search {
namespace {

constexpr int64_t kWords = 9;

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

/// Logits of a member for two hypotheses of one sentence, and its attention over so many positions; 0: none.
StepScores member(int64_t seed, int64_t positions = 3) {
  torch::manual_seed(seed);
  const Tensor logits = torch::randn({1, 2, kWords}) * 3;
  return {.logits = logits,
          .logsumexp = logsumexp(logits),
          .attention = positions > 0 ? torch::softmax(torch::randn({1, 2, positions}), -1) : Tensor()};
}

Tensor probabilities(const StepScores& scores) { return (scores.logits - scores.logsumexp).exp(); }

StepScores ensemble_of(const std::vector<StepScores>& members, const std::vector<double>& weights) {
  return ensemble_scores(weights, [&](size_t i) { return members[i]; });
}

TEST(EnsembleScores, ProbabilitiesAreTheMeanOfTheMembers) {
  const std::vector<StepScores> members{member(1), member(2), member(3)};
  const Tensor expected = (probabilities(members[0]) + probabilities(members[1]) + probabilities(members[2])) / 3;
  const StepScores found = ensemble_of(members, {1, 1, 1});
  EXPECT_TRUE(torch::allclose(probabilities(found), expected, 1e-5, 1e-6));
  const Tensor attention = (members[0].attention + members[1].attention + members[2].attention) / 3;
  EXPECT_TRUE(torch::allclose(found.attention, attention, 1e-5, 1e-6));
}

TEST(EnsembleScores, ProbabilitiesAreWeighted) {
  const std::vector<StepScores> members{member(1), member(2)};
  const Tensor expected = 0.75 * probabilities(members[0]) + 0.25 * probabilities(members[1]);
  EXPECT_TRUE(torch::allclose(probabilities(ensemble_of(members, {6, 2})), expected, 1e-5, 1e-6));
}

TEST(EnsembleScores, OneMemberIsThatModel) {
  const StepScores found = ensemble_of({member(1, 0)}, {2});
  EXPECT_TRUE(torch::allclose(probabilities(found), probabilities(member(1)), 1e-5, 1e-6));
  EXPECT_FALSE(found.attention.defined());
}

// The members may read vectors with another stride.
TEST(EnsembleScores, AttentionIsThatOfTheMembersThatReadAsTheFirstOfThem) {
  const std::vector<StepScores> members{member(1, 0), member(2), member(3, 4), member(4)};
  const Tensor expected = (members[1].attention + members[3].attention) / 2;
  EXPECT_TRUE(torch::allclose(ensemble_of(members, {1, 1, 1, 1}).attention, expected, 1e-5, 1e-6));
}

TEST(FusedScores, AreTheWeightedSumOfLogProbabilities) {
  const StepScores translation = member(1), language = member(2, 0);
  const StepScores found = fused_scores(translation, language, 0.3);
  const Tensor expected = probabilities(translation).log() + 0.3 * probabilities(language).log();
  EXPECT_TRUE(torch::allclose(found.logits - found.logsumexp, expected, 1e-5, 1e-5));
  EXPECT_TRUE(torch::equal(found.attention, translation.attention)) << "that of the translation model";
  EXPECT_TRUE(
      torch::allclose(probabilities(fused_scores(translation, language, 0)), probabilities(translation), 1e-5, 1e-6));
}

}  // namespace
}  // namespace heed::search
