#include "heed_torch/search/ensemble_step.h"

#include <gtest/gtest.h>

#include "support/fake_step_model.h"

namespace heed::search {
namespace {

constexpr int64_t kWords = 9;
constexpr uint64_t kSeeds = 3;

std::vector<std::unique_ptr<StepModel>> members(uint64_t count) {
  std::vector<std::unique_ptr<StepModel>> made;
  for (uint64_t seed = 0; seed < count; ++seed) {
    made.push_back(std::make_unique<FakeStepModel>(kWords, random_scorer(kWords, seed)));
  }
  return made;
}

Tensor probabilities(uint64_t seed, const Prefix& source, const Prefix& prefix) {
  return torch::softmax(torch::tensor(random_scorer(kWords, seed)(source, prefix)), 0);
}

Tensor mean_of_probabilities(const Prefix& source, const Prefix& prefix) {
  Tensor sum = torch::zeros({kWords});
  for (uint64_t seed = 0; seed < kSeeds; ++seed) sum += probabilities(seed, source, prefix);
  return sum / static_cast<double>(kSeeds);
}

TEST(EnsembleStep, ProbabilitiesAreTheMeanOfTheMembers) {
  EnsembleStep model(members(kSeeds));
  model.start(torch::tensor({{5, 6, 3}}), 2, true);
  const StepScores first = model.step(torch::tensor({{2, 2}}));
  EXPECT_NEAR(first.attention.sum().item<double>(), 2, 1e-6) << "the mean of three: one for each hypothesis";
  model.select(torch::tensor({0}), torch::tensor({{1, 0}}));
  const StepScores second = model.step(torch::tensor({{4, 7}}));
  for (const auto& [scores, prefix] : {std::pair{first, Prefix{}}, std::pair{second, Prefix{7}}}) {
    const Tensor found = (scores.logits - scores.logsumexp)[0][1].exp();
    EXPECT_TRUE(torch::allclose(found, mean_of_probabilities({5, 6}, prefix), 1e-5, 1e-6));
  }
}

TEST(EnsembleStep, ProbabilitiesAreWeighted) {
  EnsembleStep model(members(2), {6, 2});
  model.start(torch::tensor({{5, 6, 3}}), 1, false);
  const StepScores scores = model.step(torch::tensor({{2}}));
  const Tensor expected = 0.75 * probabilities(0, {5, 6}, {}) + 0.25 * probabilities(1, {5, 6}, {});
  EXPECT_TRUE(torch::allclose((scores.logits - scores.logsumexp)[0][0].exp(), expected, 1e-5, 1e-6));
  EXPECT_THROW(EnsembleStep(members(2), {1}), std::logic_error);
  EXPECT_THROW(EnsembleStep(members(2), {1, 0}), std::logic_error);
}

TEST(EnsembleStep, OneMemberIsThatModel) {
  EnsembleStep model(members(1));
  model.start(torch::tensor({{5, 6, 3}}), 1, false);
  const StepScores scores = model.step(torch::tensor({{2}}));
  EXPECT_TRUE(
      torch::allclose((scores.logits - scores.logsumexp)[0][0].exp(), probabilities(0, {5, 6}, {}), 1e-5, 1e-6));
  EXPECT_FALSE(scores.attention.defined());
}

TEST(EnsembleStep, AttentionIsThatOfTheMembersThatHaveAny) {
  auto made = members(2);
  static_cast<FakeStepModel&>(*made[0]).has_attention = false;
  EnsembleStep model(std::move(made));
  model.start(torch::tensor({{5, 6, 3}}), 1, true);
  EXPECT_NEAR(model.step(torch::tensor({{2}})).attention.sum().item<double>(), 1, 1e-6);
}

/// Has a position more, as a model may that reads vectors with another stride.
class OneMorePlace : public FakeStepModel {
 public:
  using FakeStepModel::FakeStepModel;
  StepScores step(const Tensor& tokens) override {
    StepScores scores = FakeStepModel::step(tokens);
    scores.attention = torch::cat({scores.attention, torch::ones_like(scores.attention.narrow(-1, 0, 1))}, -1);
    return scores;
  }
};

TEST(EnsembleStep, AttentionIsThatOfTheMembersThatReadAsTheFirstDoes) {
  auto made = members(2);
  made.push_back(std::make_unique<OneMorePlace>(kWords, random_scorer(kWords, 2)));
  EnsembleStep model(std::move(made));
  model.start(torch::tensor({{5, 6, 3}}), 1, true);
  const Tensor attention = model.step(torch::tensor({{2}})).attention;
  EXPECT_EQ(attention.size(-1), 3);
  EXPECT_NEAR(attention.sum().item<double>(), 1, 1e-6);
}

TEST(EnsembleStep, JoinsAndLimitsReachAll) {
  auto made = members(kSeeds);
  std::vector<const FakeStepModel*> all;
  for (const auto& member : made) all.push_back(static_cast<const FakeStepModel*>(member.get()));
  static_cast<FakeStepModel&>(*made[1]).longest = 4;
  EnsembleStep model(std::move(made));
  EXPECT_EQ(model.max_length(), 4);
  model.start(torch::tensor({{5, 3}}), 1, false);
  model.join(torch::tensor({{6, 3}}));
  EXPECT_EQ(model.step(torch::tensor({{2}, {2}})).logits.size(0), 2);
  for (const FakeStepModel* one : all) EXPECT_EQ(one->joins, 1);
}

TEST(EnsembleStep, NeedsMembersOfOneVocabulary) {
  EXPECT_THROW(EnsembleStep({}), std::logic_error);
  auto made = members(1);
  made.push_back(std::make_unique<FakeStepModel>(kWords - 1, random_scorer(kWords - 1)));
  EXPECT_THROW(EnsembleStep(std::move(made)), std::logic_error);
}

}  // namespace
}  // namespace heed::search
