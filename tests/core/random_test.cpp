#include "heed/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace heed {
namespace {

// Known answers of the Random123 distribution for philox4x32-10.
TEST(Philox, EqualsThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(StreamKey, EveryPartOfItMatters) {
  std::set<uint64_t> keys;
  for (const uint64_t seed : {1, 2}) {
    for (const Purpose purpose : {Purpose::Shuffle, Purpose::Dropout}) {
      for (uint64_t first = 0; first < 10; ++first) {
        for (uint64_t second = 0; second < 10; ++second) keys.insert(stream_key(seed, purpose, first, second));
      }
    }
  }
  EXPECT_EQ(keys.size(), 400u);
}

// Checkpoints hold seeds and positions, not numbers: these may never change.
TEST(RandomStream, GivesTheNumbersItAlwaysGave) {
  RandomStream zero(0);
  EXPECT_EQ(zero(), 0xe169c58d6627e8d5ULL);  // the first two words of Philox's published vector
  EXPECT_EQ(stream_key(1, Purpose::Dropout, 2, 3), 4881843498516312038ULL);
  EXPECT_EQ(RandomStream(1, Purpose::Shuffle)(), 4122588707189525644ULL);
}

TEST(RandomStream, AnyPositionCanBeReachedAtOnce) {
  RandomStream walked(3, Purpose::Test, 1, 2);
  for (int i = 0; i < 1000; ++i) walked();
  EXPECT_EQ(walked.position(), 1000u);
  RandomStream jumped(walked.key());
  jumped.seek(1000);
  EXPECT_EQ(jumped(), walked());
}

TEST(RandomStream, UniformFillsTheUnitInterval) {
  RandomStream random(1, Purpose::Test);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kDraws, 1.0 / 2, 0.005);
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 0.005);
}

TEST(RandomStream, BelowGivesEachNumberAsOften) {
  RandomStream random(2, Purpose::Test);
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Shuffle, IsAPermutationOfItsStream) {
  std::vector<int> values(100), again(100);
  std::iota(values.begin(), values.end(), 0);
  again = values;
  const std::vector<int> sorted = values;
  RandomStream first(1, Purpose::Shuffle), second(1, Purpose::Shuffle);
  shuffle(std::span(values), first);
  shuffle(std::span(again), second);
  EXPECT_EQ(values, again);
  EXPECT_NE(values, sorted);
  std::ranges::sort(values);
  EXPECT_EQ(values, sorted);
}

TEST(Shuffle, EveryOrderIsAsLikely) {
  std::map<std::vector<int>, int> counts;
  RandomStream random(4, Purpose::Test);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> values{0, 1, 2};
    shuffle(std::span(values), random);
    ++counts[values];
  }
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace heed
