#include "heed/search/best_of_row.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace heed::search {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

struct Best {
  std::vector<float> values;
  std::vector<int64_t> places;
};

Best best_of(const std::vector<float>& row, size_t count) {
  Best best{std::vector<float>(count, 7), std::vector<int64_t>(count, 7)};
  best_of_row(row, best.values, best.places);
  return best;
}

TEST(BestOfRow, IsInOrderAndOfEqualsTheFirst) {
  const Best best = best_of({1, 5, 3, 5, 4}, 4);
  EXPECT_EQ(best.values, (std::vector<float>{5, 5, 4, 3}));
  EXPECT_EQ(best.places, (std::vector<int64_t>{1, 3, 4, 2}));
}

TEST(BestOfRow, EndsWithNothingWhereTheRowHasFewer) {
  const Best best = best_of({kNone, 2, kNone}, 2);
  EXPECT_EQ(best.values, (std::vector<float>{2, kNone}));
  EXPECT_EQ(best.places, (std::vector<int64_t>{1, 0}));
}

TEST(BestOfRow, SeesTheLastOfBlocksAndOfWhatIsLeft) {
  std::vector<float> row(70, 0.0F);
  row[31] = 1;
  row[32] = 2;
  row[69] = 3;
  const Best best = best_of(row, 4);
  EXPECT_EQ(best.places, (std::vector<int64_t>{69, 32, 31, 0}));
}

TEST(BestOfRow, IsNeverNotANumber) {
  const Best best = best_of({std::numeric_limits<float>::quiet_NaN(), -1}, 1);
  EXPECT_EQ(best.places, std::vector<int64_t>{1});
}

}  // namespace
}  // namespace heed::search
