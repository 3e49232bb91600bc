#include "heed/data/batches/batching.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "data/made_corpus.h"

namespace heed::data {
namespace {

using Begins = std::vector<int64_t>;

TEST(Batching, RowsArePaddedToTheLongest) {
  const text::Ids a{7, 8};
  const text::Ids b{9};
  const std::array pairs{BatchPair{.line = 5, .source = a, .target = b},
                         BatchPair{.line = 2, .source = b, .target = a}};
  const MicroBatch batch = make_batch(pairs, true);
  EXPECT_EQ(batch.source, (IdMatrix{2, 3, {7, 8, 3, 9, 3, 0}}));
  EXPECT_EQ(batch.tokens(), (IdMatrix{2, 4, {2, 9, 3, 0, 2, 7, 8, 3}}));
  EXPECT_EQ(batch.lines, (Begins{5, 2}));
  EXPECT_EQ(batch.source_tokens, 5);
  EXPECT_EQ(batch.target_tokens, 5);
  const Padding waste = padding({.micro_batches = {batch}, .source_tokens = 5, .target_tokens = 5});
  EXPECT_EQ(waste.tokens, 10);
  EXPECT_EQ(waste.cells, 2 * 3 + 2 * 3);
  EXPECT_DOUBLE_EQ(waste.share(), 2.0 / 12);
}

TEST(Batching, ALanguageModelHasNoSourceColumns) {
  const text::Ids ids{7};
  const std::array pairs{BatchPair{.line = 0, .source = {}, .target = ids}};
  const MicroBatch batch = make_batch(pairs, false);
  EXPECT_EQ(batch.source, (IdMatrix{1, 0, {}}));
  EXPECT_EQ(batch.source_tokens, 0);
  EXPECT_THROW(make_batch({}, true), std::logic_error);
}

TEST(Batching, PartsAreNearlyEqual) {
  EXPECT_EQ(cut_evenly(Begins{5, 5, 5, 5}, 1), (Begins{0}));
  EXPECT_EQ(cut_evenly(Begins{5, 5, 5, 5}, 2), (Begins{0, 2}));
  EXPECT_EQ(cut_evenly(Begins{1, 1, 1, 9}, 2), (Begins{0, 3}));
  EXPECT_EQ(cut_evenly(Begins{9, 1, 1, 1}, 2), (Begins{0, 1}));
  EXPECT_EQ(cut_evenly(Begins{4, 4, 4}, 5), (Begins{0, 1, 2}));
  EXPECT_EQ(cut_evenly(Begins{100, 1, 1}, 3), (Begins{0, 1, 2}));
  EXPECT_EQ(cut_evenly(Begins{1, 1, 100}, 3), (Begins{0, 1, 2}));
}

TEST(Batching, OrderedBatchesHaveEveryPairOnceLongestFirst) {
  const testing::MadeCorpus made(500);
  const auto corpus = made.encoded();
  const auto batches = ordered_batches(*corpus, 200);
  std::set<int64_t> lines;
  int64_t tokens = 0;
  int64_t longest = 1000;
  for (const MicroBatch& batch : batches) {
    EXPECT_LE(batch.target_tokens, 200);
    EXPECT_LE(batch.tokens().columns, longest);
    longest = batch.tokens().columns;
    tokens += batch.target_tokens;
    lines.insert(batch.lines.begin(), batch.lines.end());
  }
  EXPECT_EQ(lines.size(), 500U);
  EXPECT_EQ(tokens, corpus->summary().target_tokens);
  EXPECT_EQ(ordered_batches(*corpus, 200), batches);
  EXPECT_EQ(ordered_batches(*corpus, 1).size(), 500U);
}

}  // namespace
}  // namespace heed::data
