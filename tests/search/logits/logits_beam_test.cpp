// Logits of three words: a 4, b 5, c 6 behind the special ids.
#include "heed_torch/search/logits_beam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <torch/torch.h>

#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

constexpr float kBarred = -std::numeric_limits<float>::infinity();

TEST(BarTokens, SpecialTokensNeverFollow) {
  const std::vector ends{End::Allowed};
  Tensor logits = torch::ones({1, 1, 7});
  bar_tokens(logits, ends, /*unknown=*/false);
  EXPECT_TRUE(torch::equal(logits, torch::tensor({{{kBarred, kBarred, kBarred, 1.0F, 1.0F, 1.0F, 1.0F}}})));

  logits = torch::ones({1, 1, 7});
  bar_tokens(logits, ends, /*unknown=*/true);
  EXPECT_TRUE(torch::equal(logits, torch::tensor({{{kBarred, 1.0F, kBarred, 1.0F, 1.0F, 1.0F, 1.0F}}})));
}

TEST(BarTokens, EndsHoldSentenceBySentence) {
  Tensor logits = torch::ones({3, 1, 7});
  logits.select(-1, text::kEos).fill_(7);
  const Tensor by_itself = bar_tokens(logits, std::vector{End::Barred, End::Allowed, End::Forced}, /*unknown=*/false);
  const Tensor expected = torch::tensor({{kBarred, kBarred, kBarred, kBarred, 1.0F, 1.0F, 1.0F},
                                         {kBarred, kBarred, kBarred, 7.0F, 1.0F, 1.0F, 1.0F},
                                         {kBarred, kBarred, kBarred, 7.0F, kBarred, kBarred, kBarred}});
  EXPECT_TRUE(torch::equal(logits.squeeze(1), expected)) << logits;
  EXPECT_TRUE(torch::equal(by_itself.squeeze(1), torch::tensor({false, false, true})));
}

TEST(BarTokens, AForcedEndThatIsNotTheLikeliestIsTold) {
  Tensor logits = torch::zeros({1, 2, 7});
  logits.index_put_({0, 0, 4}, 2.0F);
  logits.index_put_({0, 1, text::kEos}, 2.0F);
  const Tensor by_itself = bar_tokens(logits, std::vector{End::Forced}, /*unknown=*/false);
  EXPECT_TRUE(torch::equal(by_itself, torch::tensor({{false, true}})));
}

TEST(ReadStep, HasLogProbabilitiesBestFirst) {
  StepScores scores;
  scores.logits = torch::tensor({0.0F, 0.0F, 0.0F, 0.5F, 0.3F, 0.2F, 0.0F}).view({1, 1, 7}).log() + 2.5;
  scores.logsumexp = torch::full({1, 1, 1}, 2.5);
  Continuations found;
  read_step(scores, {}, {}, 4, /*attention=*/false, found);
  EXPECT_EQ(std::vector<int32_t>(found.tokens.begin(), found.tokens.begin() + 3), (std::vector<int32_t>{3, 4, 5}));
  EXPECT_NEAR(std::exp(found.log_probabilities[0]), 0.5, 1e-6);
  EXPECT_NEAR(std::exp(found.log_probabilities[1]), 0.3, 1e-6);
  EXPECT_NEAR(std::exp(found.log_probabilities[2]), 0.2, 1e-6);
  EXPECT_EQ(found.log_probabilities[3], kBarred);
}

TEST(AskedLogProbabilities, AreThoseOfEachHypothesisTokens) {
  StepScores scores;
  scores.logits = torch::arange(14, torch::kFloat).view({1, 2, 7});
  scores.logsumexp = torch::tensor({1.0F, 2.0F}).view({1, 2, 1});
  TokenLists asked;
  asked.add(std::vector<int32_t>{6, 0});
  asked.add(std::vector<int32_t>{3});
  EXPECT_TRUE(torch::equal(asked_log_probabilities(scores, asked), torch::tensor({5.0F, -1.0F, 8.0F})));
}

TEST(BarLists, TakesEachHypothesisTokensAway) {
  const Tensor logits = torch::zeros({1, 2, 3});
  TokenLists barred;
  barred.add(std::vector<int32_t>{2, 0});
  barred.add(std::vector<int32_t>{});
  bar_lists(logits, barred);
  EXPECT_TRUE(torch::equal(logits, torch::tensor({{{kBarred, 0.0F, kBarred}, {0.0F, 0.0F, 0.0F}}})));
}

TEST(SourceMatrix, RowsEndWithEndOfSentenceAndPadding) {
  const text::Ids longer{4, 5}, empty;
  const std::vector<SourceSentence> sources{{0, longer}, {1, empty}};
  EXPECT_TRUE(torch::equal(source_matrix(sources), torch::tensor({{4, 5, 3}, {3, 0, 0}})));
}

}  // namespace
}  // namespace heed::search
