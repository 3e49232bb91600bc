#include "heed/search/search_options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heed/core/error.h"

namespace heed::search {
namespace {

TEST(LengthPenalty, PowerDividesByLengthToAlpha) {
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, PowerPenalty{}), -1.5);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, PowerPenalty{.alpha = 0.5}), -3);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 4, PowerPenalty{.alpha = 0}), -6);
}

TEST(LengthPenalty, GnmtDividesByFivePlusLengthOverSix) {
  EXPECT_DOUBLE_EQ(normalized_score(-6, 7, GnmtPenalty{.alpha = 1}), -3);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 19, GnmtPenalty{.alpha = 0.5}), -3);
  EXPECT_DOUBLE_EQ(normalized_score(-6, 1, GnmtPenalty{.alpha = 0.6}), -6);
}

TEST(LengthPenalty, NoneIsTheLogProbability) { EXPECT_DOUBLE_EQ(normalized_score(-6, 7, NoPenalty{}), -6); }

TEST(MaxLength, IsFactorTimesSourcePlusConstant) {
  EXPECT_EQ(max_length({}, 0), 10);
  EXPECT_EQ(max_length({}, 7), 24);
  EXPECT_EQ(max_length({.max_length_factor = 1.5, .max_length_constant = 1}, 5), 8);
  EXPECT_EQ(max_length({.max_length_factor = 0, .max_length_constant = 200}, 50), 200);
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
