#include "heed/search/drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "support/message_of.h"

namespace heed::search {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

std::vector<float> logs(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

std::vector<int32_t> tokens_of(const std::vector<TokenProbability>& distribution) {
  std::vector<int32_t> tokens;
  for (const TokenProbability& entry : distribution) tokens.push_back(entry.token);
  return tokens;
}

using Tokens = std::vector<int32_t>;
const std::vector<float> kLogits = logs({0.1, 0.4, 0.2, 0.3});

TEST(Drawable, IsTheSoftmaxWithoutCuts) {
  const auto all = drawable(kLogits, {});
  EXPECT_EQ(tokens_of(all), (Tokens{0, 1, 2, 3}));
  const std::vector<double> expected{0.1, 0.4, 0.2, 0.3};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(all[i].probability, expected[i], 1e-6);
}

TEST(Drawable, TheTemperatureIsAnExponent) {
  const double sum = 0.01 + 0.16 + 0.04 + 0.09;
  const auto cold = drawable(kLogits, {.temperature = 0.5});
  EXPECT_NEAR(cold[0].probability, 0.01 / sum, 1e-6);
  EXPECT_NEAR(cold[1].probability, 0.16 / sum, 1e-6);
}

TEST(Drawable, TopKKeepsTheLikeliest) {
  const auto two = drawable(kLogits, {.top_k = 2});
  EXPECT_EQ(tokens_of(two), (Tokens{1, 3}));
  EXPECT_NEAR(two[0].probability, 0.4 / 0.7, 1e-6);
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_k = 1})), Tokens{1});
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_k = 9})), (Tokens{0, 1, 2, 3}));
  EXPECT_EQ(tokens_of(drawable(logs({0.25, 0.25, 0.25, 0.25}), {.top_k = 3})), (Tokens{0, 1, 2})) << "equals in order";
}

TEST(Drawable, TopPKeepsTheFewestThatReachIt) {
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_p = 0.39})), Tokens{1});
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_p = 0.41})), (Tokens{1, 3}));
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_p = 0.69})), (Tokens{1, 3}));
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_p = 0.71})), (Tokens{1, 3, 2}));
  EXPECT_NEAR(drawable(kLogits, {.top_p = 0.69})[1].probability, 0.3 / 0.7, 1e-6);
  EXPECT_EQ(tokens_of(drawable(logs({0.25, 0.25, 0.25, 0.25}), {.top_p = 0.5})), (Tokens{0, 1})) << "reach it exactly";
}

TEST(Drawable, TopPCountsWhatTopKLeaves) {
  // Of 4/7 and 3/7 the first alone reaches one half; of 0.4 and 0.3 it would not.
  EXPECT_EQ(tokens_of(drawable(kLogits, {.top_k = 2, .top_p = 0.5})), Tokens{1});
  // The temperature comes first: 0.16, 0.09, 0.04 and 0.01 of 0.3.
  EXPECT_EQ(tokens_of(drawable(kLogits, {.temperature = 0.5, .top_p = 0.53})), Tokens{1});
}

TEST(Drawable, EpsilonLeavesUnlikelyTokensOut) {
  EXPECT_EQ(tokens_of(drawable(kLogits, {.epsilon = 0.15})), (Tokens{1, 2, 3}));
  EXPECT_NEAR(drawable(kLogits, {.epsilon = 0.25})[0].probability, 0.4 / 0.7, 1e-6);
  EXPECT_EQ(tokens_of(drawable(kLogits, {.epsilon = 0.9})), Tokens{1}) << "the likeliest stays";
  // The temperature comes first: 0.01, 0.16, 0.04 and 0.09 of 0.3.
  EXPECT_EQ(tokens_of(drawable(kLogits, {.temperature = 0.5, .epsilon = 0.15})), (Tokens{1, 3}));
}

TEST(Drawable, WhatMustNotComeIsLeftOut) {
  const auto rest = drawable(std::vector<float>{kNever, 1, kNever, 1}, {});
  EXPECT_EQ(tokens_of(rest), (Tokens{1, 3}));
  EXPECT_DOUBLE_EQ(rest[0].probability, 0.5);
  EXPECT_EQ(heed::testing::message_of<Error>([] { drawable(std::vector<float>{kNever, kNever}, {}); }),
            "the model gives every token probability 0");
  EXPECT_EQ(heed::testing::message_of<Error>([] { drawable(std::vector<float>{1, std::nanf("")}, {}); }),
            "the model's scores are not numbers: were its parameters damaged?");
}

TEST(DrawToken, TakesEachTokenAsOftenAsItIsProbable) {
  const std::vector<TokenProbability> distribution{{7, 0.5}, {5, 0.3}, {9, 0.2}, {6, 0}};
  constexpr int kDraws = 20000;
  std::map<int32_t, double> counts;
  RandomStream random(1, Purpose::Test);
  for (int i = 0; i < kDraws; ++i) ++counts[draw_token(distribution, random())];
  for (const auto& [token, probability] : distribution) {
    const double expected = probability * kDraws;
    EXPECT_NEAR(counts[token], expected, 4 * std::sqrt(expected)) << token;
  }
  EXPECT_EQ(draw_token(distribution, 3), draw_token(distribution, 3));
}

TEST(DrawToken, ASmallChangeOfAProbabilityDoesNotShiftWhatIsDrawn) {
  std::vector<TokenProbability> one{{0, 0.3}}, other{{0, 0.3 + 1e-5}};
  constexpr int32_t kTokens = 20000;
  for (int32_t token = 1; token < kTokens; ++token) one.push_back({token, 0.7 / (kTokens - 1)});
  other.insert(other.end(), one.begin() + 1, one.end());
  // Found by cumulated probabilities, each of the others would move by 0.3 of its width: one draw in five.
  RandomStream random(2, Purpose::Test);
  for (int i = 0; i < 200; ++i) {
    const uint64_t draw = random();
    EXPECT_EQ(draw_token(one, draw), draw_token(other, draw));
  }
}

}  // namespace
}  // namespace heed::search
