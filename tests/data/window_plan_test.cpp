#include "heed/data/batches/window_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "data/made_corpus.h"

namespace heed::data {
namespace {

using testing::MadeCorpus;

std::vector<std::vector<uint32_t>> batches_of(const WindowPlan& plan) {
  std::vector<std::vector<uint32_t>> steps;
  for (int64_t i = 0; i < plan.steps(); ++i) steps.emplace_back(plan.pairs(i).begin(), plan.pairs(i).end());
  return steps;
}

int64_t tokens_of(const EncodedCorpus& corpus, std::span<const uint32_t> pairs) {
  return std::accumulate(pairs.begin(), pairs.end(), int64_t{0},
                         [&corpus](int64_t sum, uint32_t pair) { return sum + corpus.target_length(pair) + 1; });
}

TEST(EpochWindows, CoverTheCorpusInNearlyEqualPieces) {
  auto windows = epoch_windows(std::vector<int64_t>{0, 10}, 4, 1, 0);
  std::sort(windows.begin(), windows.end(), [](auto a, auto b) { return a.begin < b.begin; });
  EXPECT_EQ(windows, (std::vector<Window>{{0, 4}, {4, 3}, {7, 3}}));
  EXPECT_EQ(epoch_windows(std::vector<int64_t>{0, 10}, 100, 1, 0), (std::vector<Window>{{0, 10}}));
}

std::vector<Window> in_order(std::vector<Window> windows) {
  std::ranges::sort(windows, {}, &Window::begin);
  return windows;
}

TEST(EpochWindows, AreGroupsOfWholeBuckets) {
  const std::vector<int64_t> buckets{0, 10, 21, 30, 42, 50};
  EXPECT_EQ(in_order(epoch_windows(buckets, 100, 1, 0)), (std::vector<Window>{{0, 50}}));
  EXPECT_EQ(in_order(epoch_windows(buckets, 30, 1, 0)), (std::vector<Window>{{0, 30}, {30, 20}}));
  EXPECT_EQ(in_order(epoch_windows(buckets, 22, 1, 0)), (std::vector<Window>{{0, 21}, {21, 21}, {42, 8}}));
  EXPECT_EQ(in_order(epoch_windows(buckets, 12, 1, 0)),
            (std::vector<Window>{{0, 10}, {10, 11}, {21, 9}, {30, 12}, {42, 8}}));
}

TEST(EpochWindows, CutBucketsThatAreLarger) {
  const std::vector<int64_t> buckets{0, 10, 21};
  EXPECT_EQ(in_order(epoch_windows(buckets, 6, 1, 0)), (std::vector<Window>{{0, 5}, {5, 5}, {10, 6}, {16, 5}}));
}

TEST(EpochWindows, ComeInAnotherOrderEveryEpoch) {
  const auto first = epoch_windows(std::vector<int64_t>{0, 1000}, 10, 1, 0);
  EXPECT_EQ(epoch_windows(std::vector<int64_t>{0, 1000}, 10, 1, 0), first);
  EXPECT_NE(epoch_windows(std::vector<int64_t>{0, 1000}, 10, 1, 1), first);
  EXPECT_NE(epoch_windows(std::vector<int64_t>{0, 1000}, 10, 2, 0), first);
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end(), [](auto a, auto b) { return a.begin < b.begin; }));
}

TEST(WindowPlan, EveryPairComesOnceInUpdatesWithinTheLimit) {
  const MadeCorpus made(2000);
  const auto corpus = made.encoded();
  const WindowPlan plan(*corpus, {.begin = 0, .size = 2000}, 300, 1, 0);
  std::vector<uint32_t> seen;
  for (const auto& pairs : batches_of(plan)) {
    EXPECT_FALSE(pairs.empty());
    EXPECT_LE(tokens_of(*corpus, pairs), 300);
    EXPECT_GE(tokens_of(*corpus, pairs), 130) << "no update is a small remainder";
    seen.insert(seen.end(), pairs.begin(), pairs.end());
  }
  std::sort(seen.begin(), seen.end());
  std::vector<uint32_t> all(2000);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(seen, all);
}

TEST(WindowPlan, AnUpdateIsOfOneLengthBand) {
  const MadeCorpus made(5000);
  const auto corpus = made.encoded();
  const WindowPlan plan(*corpus, {.begin = 0, .size = 5000}, 300, 1, 0);
  for (const auto& pairs : batches_of(plan)) {
    const auto [shortest, longest] = std::minmax_element(pairs.begin(), pairs.end(), [&corpus](uint32_t a, uint32_t b) {
      return corpus->target_length(a) < corpus->target_length(b);
    });
    EXPECT_LE(corpus->target_length(*longest) - corpus->target_length(*shortest), 2);
  }
}

TEST(WindowPlan, IsAFunctionOfSeedAndEpoch) {
  const MadeCorpus made(500);
  const auto corpus = made.encoded();
  const auto steps = [&corpus](uint64_t seed, int64_t epoch) {
    return batches_of(WindowPlan(*corpus, {.begin = 0, .size = 500}, 200, seed, epoch));
  };
  EXPECT_EQ(steps(1, 0), steps(1, 0));
  EXPECT_NE(steps(1, 0), steps(1, 1));
  EXPECT_NE(steps(1, 0), steps(2, 0));
  auto sorted_updates = [](std::vector<std::vector<uint32_t>> all) {
    for (auto& pairs : all) std::sort(pairs.begin(), pairs.end());
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_NE(sorted_updates(steps(1, 0)), sorted_updates(steps(1, 1))) << "only the order of updates changed";
}

TEST(WindowPlan, TheLastTwoUpdatesShareWhatIsLeft) {
  testing::TemporaryDirectory directory;
  std::string lines;
  for (int i = 0; i < 21; ++i) lines += "4 4 4 4 4 4 4 4 4\n";  // 10 tokens with end-of-sentence
  write_file(directory.file("s"), lines);
  build_corpus(directory.file("c"), {.source = {directory.file("s")}, .target = {directory.file("s")}, .pairs = {}},
               testing::number_tokenizers(), {});
  const EncodedCorpus corpus(directory.file("c"));
  std::vector<size_t> sizes;
  for (const auto& pairs : batches_of(WindowPlan(corpus, {.begin = 0, .size = 21}, 100, 1, 0)))
    sizes.push_back(pairs.size());
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<size_t>{5, 6, 10})) << "not a last update of one pair";
}

TEST(WindowPlan, APairAboveTheLimitIsAnUpdateAlone) {
  const MadeCorpus made(50);
  const auto corpus = made.encoded();
  const WindowPlan plan(*corpus, {.begin = 0, .size = 50}, 1, 1, 0);
  EXPECT_EQ(plan.steps(), 50);
}

TEST(WindowPlan, LopsidedPairsAreBoundedByTheirPaddedSize) {
  testing::TemporaryDirectory directory;
  std::string source;
  std::string target;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 99; ++j) source += "4 ";
    source += "5\n";
    target += "4\n";
  }
  write_file(directory.file("s"), source);
  write_file(directory.file("t"), target);
  build_corpus(directory.file("c"), {.source = {directory.file("s")}, .target = {directory.file("t")}, .pairs = {}},
               testing::number_tokenizers(), {});
  const EncodedCorpus corpus(directory.file("c"));
  const WindowPlan plan(corpus, {.begin = 0, .size = 40}, 505, 1, 0);
  EXPECT_EQ(plan.steps(), 4);  // 10 rows of 101 are 1,010 cells
}

}  // namespace
}  // namespace heed::data
