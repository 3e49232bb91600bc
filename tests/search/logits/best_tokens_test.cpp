// Logits of three words: a 4, b 5, c 6 behind the special ids.
#include "heed_torch/search/best_tokens.h"

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

StepScores three_tokens() {
  return {.logits = torch::tensor({0.0F, 0.0F, 0.0F, 0.5F, 0.3F, 0.2F, 0.0F}).view({1, 1, 7}).log() + 2.5,
          .logsumexp = torch::full({1, 1, 1}, 2.5),
          .attention = torch::tensor({{{0.25F, 0.75F}}})};
}

TEST(FindTokens, HasLogProbabilitiesBestFirst) {
  const std::vector<int32_t> last{text::kBos};
  const std::vector ends{End::Allowed};
  Continuations found;
  find_tokens(three_tokens(), {.tokens = last, .ends = ends, .count = 4}, /*attention=*/true, found);
  EXPECT_EQ(std::vector<int32_t>(found.tokens.begin(), found.tokens.begin() + 3), (std::vector<int32_t>{3, 4, 5}));
  EXPECT_NEAR(std::exp(found.log_probabilities[0]), 0.5, 1e-6);
  EXPECT_NEAR(std::exp(found.log_probabilities[1]), 0.3, 1e-6);
  EXPECT_NEAR(std::exp(found.log_probabilities[2]), 0.2, 1e-6);
  EXPECT_EQ(found.log_probabilities[3], kBarred);
  EXPECT_EQ(found.attention, (std::vector<float>{0.25F, 0.75F}));
  EXPECT_EQ(found.columns, 2);
}

TEST(FindTokens, BarsListsAndReadsWhatIsAskedFor) {
  const std::vector<int32_t> last{text::kBos};
  const std::vector ends{End::Barred};
  TokenLists barred, asked;
  barred.add(std::vector<int32_t>{4});
  asked.add(std::vector<int32_t>{4, 5});
  Continuations found;
  find_tokens(three_tokens(), {.tokens = last, .ends = ends, .count = 1, .barred = &barred, .asked = &asked},
              /*attention=*/false, found);
  EXPECT_EQ(found.tokens, std::vector<int32_t>{5});
  EXPECT_NEAR(std::exp(found.asked[0]), 0.3, 1e-6) << "its probability is that before it is barred";
  EXPECT_NEAR(std::exp(found.asked[1]), 0.2, 1e-6);
}

TEST(FindTokens, GivesWholeRowsOfLiveHypothesesAlone) {
  StepScores scores = three_tokens();
  scores.logits = scores.logits.repeat({2, 2, 1});
  scores.logsumexp = scores.logsumexp.repeat({2, 2, 1});
  const std::vector<int32_t> last(4, text::kBos);
  const std::vector ends(2, End::Allowed);
  std::vector<size_t> seen;
  const LogProbabilityCallback rows = [&](size_t hypothesis, std::span<float> log_probabilities) {
    seen.push_back(hypothesis);
    ASSERT_EQ(log_probabilities.size(), 7U);
    EXPECT_NEAR(std::exp(log_probabilities[3]), 0.5, 1e-6);
  };
  Continuations found;
  find_tokens(scores, {.tokens = last, .ends = ends, .live = std::vector<int64_t>{1, 2}, .rows = &rows},
              /*attention=*/false, found);
  EXPECT_EQ(seen, (std::vector<size_t>{0, 2, 3}));
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
