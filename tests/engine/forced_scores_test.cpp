#include "heed/engine/forced_scores.h"

#include <gtest/gtest.h>

#include "engine/both_backends.h"
#include "heed_torch/translation/scorer.h"
#include "support/drawn_sources.h"
#include "support/tiny_models.h"
#include "support/tiny_tokenizer.h"

namespace heed::engine {
namespace {

/// What the plain model gives, all positions at once.
std::vector<translation::ScoredTranslation> plain_scores(const BothBackends& both,
                                                         const std::vector<text::Ids>& sources,
                                                         const std::vector<text::Ids>& targets) {
  const bool translates = both.model->encoder != nullptr;
  const auto words = text::numbered_words(kSizes.target - 4);
  const translation::Scorer scorer(both.model, {translates ? words : nullptr, words}, {}, at::kCPU);
  return scorer.score(translates ? sources : std::vector<text::Ids>(), targets);
}

std::vector<ForcedTarget> pairs_of(const std::vector<text::Ids>& sources, const std::vector<text::Ids>& targets) {
  std::vector<ForcedTarget> pairs;
  for (size_t i = 0; i < targets.size(); ++i) pairs.push_back({sources[i], targets[i]});
  return pairs;
}

void expect_plain_scores(const models::ArchitectureOptions& options) {
  const BothBackends both(options);
  const auto sources = testing::drawn_sources(30, 1, 9, 36);
  auto targets = testing::drawn_sources(30, 1, 11, 36);
  std::ranges::reverse(targets);
  targets[4].clear();
  targets[20].clear();
  const auto expected = plain_scores(both, sources, targets);
  const auto found = score_targets(*both.engine, pairs_of(sources, targets));
  ASSERT_EQ(found.size(), targets.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), targets[i].size() + 1);
    for (size_t t = 0; t < found[i].size(); ++t) {
      EXPECT_NEAR(found[i][t], expected[i].token_log_probabilities[t], 1e-5) << i << ' ' << t;
    }
  }
}

TEST(ForcedScores, AreThoseOfThePlainModel) {
  expect_plain_scores(testing::tiny_transformer());
  expect_plain_scores(testing::tiny_rnn());
  models::ArchitectureOptions language_model = testing::tiny_transformer();
  language_model.encoder.type = models::NoEncoderOptions{};
  expect_plain_scores(language_model);
}

TEST(ForcedScores, HaveTheSameBitsAloneAndBesideOthers) {
  for (const Precision precision : {Precision::Float32, Precision::BFloat16, Precision::Int8}) {
    const BothBackends both(testing::tiny_transformer(), precision);
    const auto sources = testing::drawn_sources(20, 1, 9, 36), targets = testing::drawn_sources(20, 0, 11, 36);
    const auto pairs = pairs_of(sources, targets);
    const auto together = score_targets(*both.engine, pairs);
    for (size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(score_targets(*both.engine, std::span(pairs).subspan(i, 1))[0], together[i]) << i;
    }
  }
}

TEST(ForcedScores, OfNothingAreNone) {
  const BothBackends both(testing::tiny_transformer());
  EXPECT_TRUE(score_targets(*both.engine, {}).empty());
}

}  // namespace
}  // namespace heed::engine
