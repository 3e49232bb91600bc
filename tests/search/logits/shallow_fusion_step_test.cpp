#include "heed_torch/search/shallow_fusion_step.h"

#include <gtest/gtest.h>

#include "heed/search/beam_search.h"
#include "heed_torch/search/logits_beam.h"
#include "support/fake_step_model.h"

namespace heed::search {
namespace {

constexpr int64_t kVocabulary = 9;
constexpr double kWeight = 0.3;

const Scorer kTranslation = random_scorer(kVocabulary, 1);
/// A language model looks at no source.
const Scorer kLanguage = [](const Prefix&, const Prefix& prefix) { return random_scorer(kVocabulary, 2)({}, prefix); };

ShallowFusionStep fused(double weight) {
  return {std::make_unique<FakeStepModel>(kVocabulary, kTranslation),
          std::make_unique<FakeStepModel>(kVocabulary, kLanguage), weight};
}

Tensor log_probabilities(const Scorer& scorer, const Prefix& source, const Prefix& prefix) {
  return torch::log_softmax(torch::tensor(scorer(source, prefix)), 0);
}

TEST(ShallowFusionStep, ScoresAreTheWeightedSumOfLogProbabilities) {
  ShallowFusionStep model = fused(kWeight);
  model.start(torch::tensor({{5, 6, 3}}), 2, true);
  const StepScores first = model.step(torch::tensor({{2, 2}}));
  EXPECT_EQ(first.attention.sizes(), (std::vector<int64_t>{1, 2, 3})) << "that of the translation model";
  model.select(torch::tensor({0}), torch::tensor({{1, 0}}));
  const StepScores second = model.step(torch::tensor({{4, 7}}));
  for (const auto& [scores, prefix] : {std::pair{first, Prefix{}}, std::pair{second, Prefix{7}}}) {
    const Tensor expected =
        log_probabilities(kTranslation, {5, 6}, prefix) + kWeight * log_probabilities(kLanguage, {}, prefix);
    EXPECT_TRUE(torch::allclose((scores.logits - scores.logsumexp)[0][1], expected, 1e-5, 1e-5));
  }
}

TEST(ShallowFusionStep, HypothesesAreScoredByTheSum) {
  ShallowFusionStep model = fused(kWeight);
  LogitsBeam beam(model);
  BeamSearch search(beam, {.beam = 3, .length_penalty = NoPenalty{}, .n_best = 3});
  const std::vector<int32_t> source{5, 6, 7};
  search.admit(std::vector<SourceSentence>{{0, source}});
  std::vector<FinishedSentence> finished;
  while (search.running() > 0) {
    for (auto& sentence : search.advance()) finished.push_back(std::move(sentence));
  }
  ASSERT_EQ(finished.size(), 1U);
  for (const Hypothesis& hypothesis : finished[0].hypotheses) {
    Prefix prefix;
    double expected = 0;
    std::vector<int64_t> tokens(hypothesis.ids.begin(), hypothesis.ids.end());
    tokens.push_back(text::kEos);
    for (const int64_t token : tokens) {
      expected += log_probabilities(kTranslation, {5, 6, 7}, prefix)[token].item<double>() +
                  kWeight * log_probabilities(kLanguage, {}, prefix)[token].item<double>();
      prefix.push_back(token);
    }
    EXPECT_NEAR(hypothesis.score, expected, 1e-4);
  }
}

TEST(ShallowFusionStep, JoinsAndLimitsReachBoth) {
  auto translation = std::make_unique<FakeStepModel>(kVocabulary, kTranslation);
  auto language = std::make_unique<FakeStepModel>(kVocabulary, kLanguage);
  language->longest = 4;
  FakeStepModel* both[] = {translation.get(), language.get()};
  ShallowFusionStep model(std::move(translation), std::move(language), kWeight);
  EXPECT_EQ(model.max_length(), 4);
  model.start(torch::tensor({{5, 3}}), 1, false);
  model.join(torch::tensor({{6, 3}}));
  EXPECT_EQ(model.step(torch::tensor({{2}, {2}})).logits.size(0), 2);
  for (const FakeStepModel* one : both) EXPECT_EQ(one->joins, 1);
}

TEST(ShallowFusionStep, WeightZeroIsTheTranslationModel) {
  ShallowFusionStep model = fused(0);
  model.start(torch::tensor({{5, 6, 3}}), 1, false);
  EXPECT_TRUE(torch::allclose(model.step(torch::tensor({{2}})).logits[0][0],
                              log_probabilities(kTranslation, {5, 6}, {}), 1e-5, 1e-5));
}

TEST(ShallowFusionStep, NeedsOneVocabulary) {
  const auto nine = [] { return std::make_unique<FakeStepModel>(9, kTranslation); };
  EXPECT_THROW(ShallowFusionStep(nine(), std::make_unique<FakeStepModel>(8, kLanguage), kWeight), std::logic_error);
}

}  // namespace
}  // namespace heed::search
