#include "heed/search/coverage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace heed::search {
namespace {

double coverage_of(const std::vector<std::vector<float>>& attention, int64_t positions) {
  return coverage(std::vector<std::span<const float>>(attention.begin(), attention.end()), positions);
}

TEST(Coverage, IsWhatPositionsLackOfOneWordsAttention) {
  // Of two positions and end-of-sentence: sums 0.75 and 0.5.
  EXPECT_NEAR(coverage_of({{0.5F, 0.25F, 0.25F}, {0.25F, 0.25F, 0.5F}}, 2), std::log(0.75) + std::log(0.5), 1e-9);
}

TEST(Coverage, MoreThanOneIsNoBetterThanOne) { EXPECT_EQ(coverage_of({{1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 2), 0); }

TEST(Coverage, APositionThatNothingLooksAtCountsAsTheLeast) {
  EXPECT_DOUBLE_EQ(coverage_of({{1, 0, 0}}, 2), std::log(kLeastCoverage));
}

}  // namespace
}  // namespace heed::search
