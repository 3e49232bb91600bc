#include "heed_torch/training/step/gradient/flat_layout.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace heed::training {
namespace {

TEST(FlatLayout, BeginsEachParameterAtAMultiple) {
  const FlatLayout layout({torch::zeros({3, 5}), torch::zeros({16}), torch::zeros({1}), torch::zeros({20'000})});
  EXPECT_EQ(layout.begins(), (std::vector<int64_t>{0, 16, 32, 48}));
  EXPECT_EQ(layout.size(), 2 * kNormChunk);
}

TEST(FlatLayout, FindsThePiecesOfAStretch) {
  const FlatLayout layout({torch::zeros({3, 5}), torch::zeros({40}), torch::zeros({8})});  // at 0, 16, 64
  const auto pieces = layout.pieces({.begin = 8, .end = 32});
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].parameter, 0U);
  EXPECT_EQ(pieces[0].begin, 8);
  EXPECT_EQ(pieces[0].size, 7);  // the 16th element is a gap
  EXPECT_EQ(pieces[0].place, 0);
  EXPECT_EQ(pieces[1].parameter, 1U);
  EXPECT_EQ(pieces[1].begin, 0);
  EXPECT_EQ(pieces[1].size, 16);
  EXPECT_EQ(pieces[1].place, 8);
  EXPECT_TRUE(layout.pieces({.begin = 15, .end = 16}).empty());
  EXPECT_TRUE(layout.pieces({.begin = 100, .end = 200}).empty());
}

TEST(FlatLayout, PiecesOfAllSharesAreAllElementsOnce) {
  const std::vector<torch::Tensor> parameters{torch::zeros({1'000, 1'000}), torch::zeros({7}),
                                              torch::zeros({3'000, 1'500})};
  const FlatLayout layout(parameters);
  for (const int64_t ranks : {1, 2, 3, 7}) {
    std::vector<int64_t> next(parameters.size(), 0);
    for (const FlatRange bucket : buckets_of(layout.size())) {
      for (const FlatRange share : shares_of(bucket, ranks)) {
        EXPECT_EQ(share.begin % kNormChunk, 0);
        for (const FlatPiece& piece : layout.pieces(share)) {
          EXPECT_EQ(piece.begin, next[piece.parameter]);
          next[piece.parameter] += piece.size;
        }
      }
    }
    for (size_t i = 0; i < parameters.size(); ++i) EXPECT_EQ(next[i], parameters[i].numel());
  }
}

TEST(FlatLayout, SharesFollowEachOtherAndTheFirstIsNeverEmpty) {
  const std::vector<FlatRange> shares = shares_of({.begin = 0, .end = 2 * kNormChunk}, 3);
  EXPECT_EQ(shares,
            (std::vector<FlatRange>{{0, kNormChunk}, {kNormChunk, 2 * kNormChunk}, {2 * kNormChunk, 2 * kNormChunk}}));
  EXPECT_EQ(owned_by(0, 3, kNormChunk), (std::vector<FlatRange>{{0, kNormChunk}}));
  EXPECT_TRUE(owned_by(1, 3, kNormChunk).empty());
  const std::vector<FlatRange> owned = owned_by(1, 2, 2 * kBucket);
  EXPECT_EQ(owned, (std::vector<FlatRange>{{kBucket / 2, kBucket}, {kBucket + kBucket / 2, 2 * kBucket}}));
}

}  // namespace
}  // namespace heed::training
