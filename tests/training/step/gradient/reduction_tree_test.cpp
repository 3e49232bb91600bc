#include "heed_torch/training/step/gradient/reduction_tree.h"

#include <gtest/gtest.h>

namespace heed::training {
namespace {

using Nodes = std::vector<MicroBatchRange>;

TEST(PartTree, IsDividedInHalvesTheFirstTheLarger) {
  EXPECT_EQ(middle({0, 2}), 1U);
  EXPECT_EQ(middle({0, 3}), 2U);
  EXPECT_EQ(middle({4, 9}), 7U);
}

TEST(PartTree, KnowsParents) {
  EXPECT_EQ(parent_of({0, 12}, 12), std::nullopt);
  EXPECT_EQ(parent_of({6, 12}, 12), (MicroBatchRange{0, 12}));
  EXPECT_EQ(parent_of({8, 9}, 12), (MicroBatchRange{6, 9}));
  EXPECT_EQ(parent_of({6, 7}, 12), (MicroBatchRange{6, 8}));
  EXPECT_EQ(parent_of({2, 3}, 3), (MicroBatchRange{0, 3}));
}

TEST(PartTree, StretchesAreOfFewNodes) {
  EXPECT_EQ(nodes_within({0, 6}, 12), (Nodes{{0, 6}}));
  EXPECT_EQ(nodes_within({3, 6}, 12), (Nodes{{3, 6}}));
  EXPECT_EQ(nodes_within({0, 4}, 12), (Nodes{{0, 3}, {3, 4}}));
  EXPECT_EQ(nodes_within({4, 8}, 12), (Nodes{{4, 5}, {5, 6}, {6, 8}}));
  EXPECT_EQ(nodes_within({5, 5}, 12), Nodes{});
}

TEST(PartTree, SharesCoverAllParts) {
  for (size_t parts = 1; parts < 20; ++parts) {
    for (size_t count = 1; count < 24; ++count) {
      size_t covered = 0;
      for (size_t index = 0; index < count; ++index) {
        const MicroBatchRange share = share_of(parts, index, count);
        EXPECT_EQ(share.begin, covered);
        EXPECT_LE(share.size(), (parts + count - 1) / count);
        size_t begin = share.begin;
        for (const MicroBatchRange node : nodes_within(share, parts)) {
          EXPECT_EQ(node.begin, begin);
          begin = node.end;
        }
        EXPECT_EQ(begin, share.end);
        covered = share.end;
      }
      EXPECT_EQ(covered, parts);
    }
  }
}

}  // namespace
}  // namespace heed::training
