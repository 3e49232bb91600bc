#include "heed/search/search_options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heed/core/error.h"

namespace heed::search {
namespace {

TEST(LengthPenalty, PowerDividesByLengthToAlpha) {
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, {.length_penalty = PowerPenalty{}}), -1.5);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, {.length_penalty = PowerPenalty{.alpha = 0.5}}), -3);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, {.length_penalty = PowerPenalty{.alpha = 0}}), -6);
}

TEST(LengthPenalty, GnmtDividesByFivePlusLengthOverSix) {
  EXPECT_DOUBLE_EQ(normalized_score(-6, 7, {.length_penalty = GnmtPenalty{.alpha = 1}}), -3);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 19, {.length_penalty = GnmtPenalty{.alpha = 0.5}}), -3);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 1, {.length_penalty = GnmtPenalty{.alpha = 0.6}}), -6);
}

TEST(LengthPenalty, NoneIsTheLogProbability) {
  EXPECT_DOUBLE_EQ(normalized_score(-6, 7, {.length_penalty = NoPenalty{}}), -6);
}

TEST(WordReward, IsAddedForEachTokenBeforeTheLengthPenalty) {
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, {.length_penalty = NoPenalty{}, .word_reward = 0.5}), -4);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, {.length_penalty = PowerPenalty{.alpha = 0.5}, .word_reward = 0.5}), -2);
}

TEST(StopCount, IsBeamTimesPatienceRounded) {
  EXPECT_EQ(stop_count({}, 5), 5);
  EXPECT_EQ(stop_count({.patience = 0.5}, 5), 3);
  EXPECT_EQ(stop_count({.patience = 0.001}, 5), 1);
}

TEST(SearchOptions, GroupsThatDoNotDivideTheBeamAreAnError) {
  EXPECT_NO_THROW(validate(SearchOptions{.beam = 6, .groups = 3}));
  try {
    validate(SearchOptions{.beam = 5, .groups = 3});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "`search.groups` must divide `search.beam` (5), but is 3");
  }
}

TEST(SearchOptions, PatienceForFewerThanAreKeptIsAnError) {
  EXPECT_NO_THROW(validate(SearchOptions{.beam = 4, .n_best = 2, .stop = StopAtCount{.patience = 0.5}}));
  try {
    validate(SearchOptions{.beam = 4, .n_best = 3, .stop = StopAtCount{.patience = 0.5}});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "`search.patience` lets a search end with 2 hypotheses, fewer than `search.n-best` (3)");
  }
}

TEST(MaxLength, IsFactorTimesSourcePlusConstant) {
  EXPECT_EQ(max_length({}, 0), 10);
  EXPECT_EQ(max_length({}, 7), 24);
  EXPECT_EQ(max_length({.max_length_factor = 1.5, .max_length_constant = 1}, 5), 8);
  EXPECT_EQ(max_length({.max_length_factor = 0, .max_length_constant = 200}, 50), 200);
  EXPECT_EQ(max_length({.max_length_factor = 1e9}, 50), kLongestTranslation);
  EXPECT_EQ(max_length({.max_length_constant = 1'000'000'000}, 50), kLongestTranslation);
}

TEST(SearchOptions, MoreTranslationsThanHypothesesIsAnError) {
  EXPECT_NO_THROW(validate(SearchOptions{.beam = 2, .n_best = 2}));
  try {
    validate(SearchOptions{.beam = 2, .n_best = 3});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "`search.n-best` must be at most `search.beam` (2), but is 3");
  }
}

TEST(SearchOptions, ALimitThatIsShorterThanTheShortestIsAnError) {
  EXPECT_NO_THROW(validate(SearchOptions{.max_length_factor = 0, .max_length_constant = 4, .min_length = 4}));
  EXPECT_NO_THROW(validate(SearchOptions{.max_length_constant = 4, .min_length = 5})) << "it depends on the source";
  try {
    validate(SearchOptions{.max_length_factor = 0, .max_length_constant = 4, .min_length = 5});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "`search.min-length` must be at most `search.max-length-constant` (4) where "
                 "`search.max-length-factor` is 0, but is 5");
  }
}

}  // namespace
}  // namespace heed::search
