#include "heed/search/repetition.h"

#include <gtest/gtest.h>

namespace heed::search {
namespace {

using text::Ids;

TEST(Repeating, IsWhatFollowedTheLastTokensBefore) {
  const Ids hypothesis{4, 5, 6, 4, 5, 7, 4, 5};
  EXPECT_EQ(repeating(hypothesis, 3), (Ids{6, 7}));
  EXPECT_EQ(repeating(hypothesis, 2), (Ids{6, 7}));
  EXPECT_EQ(repeating(hypothesis, 4), Ids{});
  EXPECT_EQ(repeating(Ids{5, 6, 4, 5, 4, 5}, 2), (Ids{4, 6}));
}

TEST(Repeating, OfOneTokenIsAnyThatIsThere) { EXPECT_EQ(repeating(Ids{6, 4, 6}, 1), (Ids{4, 6})); }

TEST(Repeating, NothingRepeatsInTooFew) {
  EXPECT_EQ(repeating(Ids{}, 1), Ids{});
  EXPECT_EQ(repeating(Ids{4}, 3), Ids{});
  EXPECT_EQ(repeating(Ids{4, 4}, 3), Ids{});
  EXPECT_EQ(repeating(Ids{4, 4}, 2), Ids{4});
}

TEST(Distinct, HasEachTokenOnce) { EXPECT_EQ(distinct(Ids{6, 4, 6, 5}), (Ids{4, 5, 6})); }

}  // namespace
}  // namespace heed::search
