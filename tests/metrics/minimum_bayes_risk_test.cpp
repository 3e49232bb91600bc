#include "heed/metrics/minimum_bayes_risk.h"

#include <gtest/gtest.h>

#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

TEST(ExpectedScores, AreTheMeanOverAllAsReferences) {
  const Texts texts{"the cat sleeps", "a cat sleeps", "a dog runs"};
  const std::vector<double> weights{1, 2, 1};
  const Chrf chrf;
  const Bleu bleu({.effective_order = true});
  for (const Metric* metric : {static_cast<const Metric*>(&chrf), static_cast<const Metric*>(&bleu)}) {
    const auto scores = expected_scores(*metric, texts, weights);
    for (size_t h = 0; h < texts.size(); ++h) {
      double expected = 0;
      for (size_t r = 0; r < texts.size(); ++r) {
        expected += weights[r] / 4 * metric->sentence_score(texts[h], {&texts[r], 1}).value;
      }
      EXPECT_NEAR(scores[h], expected, 1e-9);
      EXPECT_GE(scores[h], 100 * weights[h] / 4) << "its score as its own reference is 100";
    }
    EXPECT_EQ(highest(scores), 1U);
  }
}

TEST(ExpectedScores, OfBleuByHand) {
  // "a b" and "a c": 1 of 2 words; no pair of words, smoothed to 1/2 of 1: sqrt(1/2 * 1/2). Longer orders do not count.
  const auto scores = expected_scores(Bleu({.effective_order = true}), Texts{"a b", "a c"}, std::vector<double>{3, 1});
  EXPECT_NEAR(scores[0], 0.75 * 100 + 0.25 * 50, 1e-9);
  EXPECT_NEAR(scores[1], 0.25 * 100 + 0.75 * 50, 1e-9);
}

TEST(ExpectedScores, ATextOfWeightZeroIsScoredButIsNoReference) {
  const auto scores = expected_scores(Chrf(), Texts{"one two", "three", "one two"}, std::vector<double>{1, 0, 0});
  EXPECT_NEAR(scores[0], 100, 1e-9);
  EXPECT_EQ(scores[2], scores[0]);
  EXPECT_LT(scores[1], 50);
}

TEST(ExpectedScores, WhatComesOftenCountsOften) {
  const Texts samples{"one two three", "one two four", "five six seven", "one two four"};
  const auto scores = expected_scores(Chrf(), samples, std::vector<double>(4, 0.25));
  EXPECT_EQ(highest(scores), 1U);
  EXPECT_EQ(scores[1], scores[3]);
  const auto sure = expected_scores(Chrf(), samples, std::vector<double>{1, 1, 9, 1});
  EXPECT_EQ(highest(sure), 2U);
}

TEST(Highest, OfEqualsIsTheFirst) { EXPECT_EQ(highest(std::vector<double>{1, 3, 3}), 1U); }

}  // namespace
}  // namespace heed::metrics
