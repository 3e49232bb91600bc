#include "heed_torch/nn/random/cutoff.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/random/random_scope.h"

namespace heed::nn {
namespace {

constexpr int64_t kSentences = 60, kTokens = 20, kWidth = 16;

/// Both passes over sentences of 1 to 20 tokens; padding is 0.
Tensor tokens() {
  const Tensor lengths = at::arange(kSentences).remainder(kTokens) + 1;
  const Tensor real = at::arange(kTokens).unsqueeze(0) < lengths.unsqueeze(1);
  return at::cat({real, real}).to(at::kLong) * 5;
}

/// Which elements of the second pass are cut: bool [S, tokens, d].
Tensor cut(const CutoffOptions& options, uint64_t part = 0) {
  const Tensor x = at::ones({2 * kSentences, kTokens, kWidth});
  const RandomScope random(1, 1, part);
  const CutoffScope scope(options);
  const Tensor found = cut_second_pass(x, tokens());
  EXPECT_TRUE(found.narrow(0, 0, kSentences).equal(x.narrow(0, 0, kSentences))) << "the first pass sees everything";
  const Tensor second = found.narrow(0, kSentences, kSentences);
  EXPECT_TRUE(second.eq(0).logical_or(second.eq(1)).all().item<bool>()) << "nothing is scaled";
  return second.eq(0);
}

double share_of(const Tensor& cut) { return cut.to(at::kDouble).mean().item<double>(); }

TEST(Cutoff, IsOffWithoutAScopeAndByDefault) {
  const Tensor x = at::ones({2, 3, 4}), ids = at::ones({2, 3}, at::kLong);
  EXPECT_TRUE(cut_second_pass(x, ids).is_same(x));
  const CutoffScope scope{CutoffOptions{}};
  EXPECT_TRUE(cut_second_pass(x, ids).is_same(x)) << "and nothing is drawn: no RandomScope is open";
}

TEST(Cutoff, OfTokensTakesWholeVectors) {
  const Tensor found = cut({.type = TokenCutoff{.share = 0.2}});
  EXPECT_TRUE(found.all(2).equal(found.any(2)));
  EXPECT_NEAR(share_of(found), 0.2, 0.04);
}

TEST(Cutoff, OfFeaturesTakesTheSameComponentsOfAllTokens) {
  const Tensor found = cut({.type = FeatureCutoff{.share = 0.2}});
  EXPECT_TRUE(found.all(1).equal(found.any(1)));
  EXPECT_NEAR(share_of(found), 0.2, 0.04);
  EXPECT_FALSE(found[0].equal(found[1])) << "each sentence loses others";
}

TEST(Cutoff, OfASpanTakesNeighborsWithinTheSentence) {
  const Tensor found = cut({.type = SpanCutoff{.share = 0.32}}).select(2, 0);  // [S, tokens]
  std::vector<int64_t> begins(kTokens);
  for (int64_t sentence = 0; sentence < kSentences; ++sentence) {
    const int64_t length = sentence % kTokens + 1;
    const Tensor places = found[sentence].nonzero().flatten();
    const auto expected = std::max<int64_t>(1, std::llround(0.32 * static_cast<double>(length)));
    ASSERT_EQ(places.size(0), expected) << "of " << length;
    EXPECT_EQ(places[-1].item<int64_t>() - places[0].item<int64_t>(), expected - 1) << "neighbors";
    EXPECT_LT(places[-1].item<int64_t>(), length) << "no padding";
    ++begins[static_cast<size_t>(places[0].item<int64_t>())];
  }
  EXPECT_GT(std::ranges::count_if(begins, [](int64_t count) { return count > 0; }), 8);
}

TEST(Cutoff, IsAFunctionOfTheRandomScope) {
  for (const CutoffOptions& options :
       {CutoffOptions{TokenCutoff{.share = 0.3}}, CutoffOptions{FeatureCutoff{.share = 0.3}},
        CutoffOptions{SpanCutoff{.share = 0.3}}}) {
    EXPECT_TRUE(cut(options, 1).equal(cut(options, 1)));
    EXPECT_FALSE(cut(options, 1).equal(cut(options, 2)));
  }
}

TEST(Cutoff, IsOfTokenEmbeddingsInTraining) {
  TokenEmbedding embedding(TokenEmbeddingOptions{.vocab_size = 9, .d_model = 4});
  embedding->weight.detach().fill_(1);
  const Tensor ids = at::full({2, 50}, 5, at::kLong);
  const RandomScope random(1, 1, 1);
  const CutoffScope scope({.type = TokenCutoff{.share = 0.5}});
  const Tensor found = embedding(ids);
  EXPECT_TRUE(found[0].eq(1).all().item<bool>());
  EXPECT_TRUE(found[1].eq(0).any().item<bool>());
  embedding->eval();
  EXPECT_TRUE(embedding(ids).eq(1).all().item<bool>());
}

}  // namespace
}  // namespace heed::nn
