#include "heed/metrics/length_buckets.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heed::metrics {
namespace {

std::vector<std::string> names(const std::vector<LengthBucket>& buckets) {
  std::vector<std::string> names;
  for (const LengthBucket& bucket : buckets) names.push_back(bucket.name());
  return names;
}

TEST(LengthBuckets, EveryLineIsInTheBucketOfItsLength) {
  const auto buckets = length_buckets(std::vector<int64_t>{10, 0, 11, 31, 1}, 10);
  EXPECT_EQ(names(buckets), (std::vector<std::string>{"0-10", "11-20", "21-30", "31-40"}));
  EXPECT_EQ(buckets[0].lines, (std::vector<size_t>{0, 1, 4}));
  EXPECT_EQ(buckets[1].lines, (std::vector<size_t>{2}));
  EXPECT_TRUE(buckets[2].lines.empty());
  EXPECT_EQ(buckets[3].lines, (std::vector<size_t>{3}));
}

TEST(LengthBuckets, WhatIsLongerThanTheLongestSharesTheLastOne) {
  const auto buckets = length_buckets(std::vector<int64_t>{5, 10, 11, 4000}, 5, 10);
  EXPECT_EQ(names(buckets), (std::vector<std::string>{"0-5", "6-10", "11+"}));
  EXPECT_EQ(buckets[2].lines, (std::vector<size_t>{2, 3}));
}

TEST(LengthBuckets, ThereIsNoBucketBeyondTheLengths) {
  EXPECT_EQ(names(length_buckets(std::vector<int64_t>{12, 30}, 5, 20)),
            (std::vector<std::string>{"11-15", "16-20", "21+"}));
  EXPECT_EQ(names(length_buckets(std::vector<int64_t>{3}, 5, 50)), (std::vector<std::string>{"0-5"}));
  EXPECT_TRUE(length_buckets({}, 5).empty());
}

TEST(LengthBuckets, TheLongestIsTheEndOfABucket) { EXPECT_THROW(length_buckets({}, 5, 12), std::logic_error); }

TEST(RowsOf, TakesTheRowsInTheOrderAskedFor) {
  CorpusStatistics statistics(3, 2);
  for (size_t line = 0; line < 3; ++line) statistics.row(line)[1] = static_cast<double>(line);
  const std::vector<size_t> lines{2, 1};
  const CorpusStatistics chosen = rows_of(statistics, lines);
  EXPECT_EQ(chosen.lines(), 2U);
  EXPECT_EQ(chosen.row(0)[1], 2);
  EXPECT_EQ(chosen.row(1)[1], 1);
}

}  // namespace
}  // namespace heed::metrics
