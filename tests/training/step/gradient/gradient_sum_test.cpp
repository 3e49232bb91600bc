#include "heed_torch/training/step/gradient/gradient_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <thread>

#include <torch/torch.h>

#include "heed_torch/training/step/gradient/gradient_reducer.h"
#include "support/rank_threads.h"

namespace heed::training {
namespace {

using distributed::GradientFormat;

/// Gradients of very different sizes, whose sum depends on the order.
std::vector<Tensor> part_gradients(size_t parts, int64_t size) {
  torch::manual_seed(5);
  std::vector<Tensor> gradients;
  for (size_t part = 0; part < parts; ++part) {
    gradients.push_back(torch::randn({size}) * std::pow(7.0, static_cast<double>(part % 5) - 2));
  }
  return gradients;
}

/// The definition: the halves' sums, added.
Tensor tree_sum(const std::vector<Tensor>& gradients, MicroBatchRange node, bool rounds) {
  Tensor sum = gradients[node.begin].clone();
  if (node.size() > 1) {
    const size_t divided = middle(node);
    sum = tree_sum(gradients, {node.begin, divided}, rounds) + tree_sum(gradients, {divided, node.end}, rounds);
  }
  if (rounds) round_to_bfloat16(sum);
  return sum;
}

Tensor first(const Tensor& flat, int64_t size) { return flat.narrow(0, 0, size); }

/// The whole of such gradients.
FlatRange all_of(GradientPool& pool) { return {.begin = 0, .end = pool.take()->flat().numel()}; }

/// Lets the gradients of a range's parts be added in this order.
std::vector<NodeSum> add(GradientPool& pool, const std::vector<Tensor>& gradients, MicroBatchRange range,
                         const std::vector<size_t>& order, bool rounds) {
  GradientSum sum(pool, range, gradients.size(), {all_of(pool)}, rounds);
  for (const size_t part : order) {
    const NodeSum begun = sum.begin(part);
    first(begun.gradient->flat(), gradients[part].numel()).add_(gradients[part]);
    EXPECT_EQ(sum.end(begun, 0), part == order.back()) << part;
  }
  return sum.sums(0);
}

/// Bucket by bucket, as a backward pass would: the gradient of all ranks.
void exchange_all(GradientReducer& exchange, std::span<const NodeSum> own, size_t parts, const Tensor& total) {
  exchange.begin(parts);
  std::vector<FlatRange> buckets = buckets_of(total.numel());
  std::ranges::reverse(buckets);
  for (const FlatRange bucket : buckets) exchange.add(own, total, bucket);
  exchange.finish();
}

TEST(Bfloat16Form, RoundsAsLibTorchDoes) {
  torch::manual_seed(4);
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor special = torch::tensor({0.F, -0.F, infinity, -infinity, 1.00390625F, 3.4e38F, 1e-40F});
  for (const int64_t size : {1, 17, 4096, 100'000}) {
    const Tensor values = torch::cat({torch::randn({size}), special});
    const Tensor wanted = values.to(torch::kBFloat16);
    EXPECT_TRUE(as_bfloat16(values).equal(wanted));
    const Tensor rounded = values.clone();
    round_to_bfloat16(rounded);
    EXPECT_TRUE(rounded.equal(wanted.to(torch::kFloat)));
  }
  const Tensor nothing = torch::full({3}, std::numeric_limits<float>::quiet_NaN());
  round_to_bfloat16(nothing);
  EXPECT_TRUE(nothing.isnan().all().item<bool>());
}

TEST(GradientSum, DoesNotDependOnTheOrder) {
  constexpr int64_t kSize = 1000;
  GradientPool pool({torch::zeros({kSize})});
  std::mt19937 random(3);
  for (const size_t parts : {1U, 2U, 3U, 7U, 12U}) {
    const auto gradients = part_gradients(parts, kSize);
    for (const bool rounds : {false, true}) {
      const Tensor wanted = tree_sum(gradients, {0, parts}, rounds);
      std::vector<size_t> order(parts);
      std::iota(order.begin(), order.end(), size_t{0});
      for (int i = 0; i < 5; ++i) {
        auto sums = add(pool, gradients, {0, parts}, order, rounds);
        ASSERT_EQ(sums.size(), 1U);
        EXPECT_EQ(sums[0].node, (MicroBatchRange{0, parts}));
        EXPECT_TRUE(first(sums[0].gradient->flat(), kSize).equal(wanted)) << parts << " parts, rounds " << rounds;
        sums.clear();
        std::ranges::shuffle(order, random);
      }
    }
  }
}

TEST(GradientSum, AddsUpEachStretchByItself) {
  constexpr int64_t kSize = 3 * kNormChunk;
  const std::vector<FlatRange> stretches{{0, kNormChunk}, {kNormChunk, 2 * kNormChunk}, {2 * kNormChunk, kSize}};
  GradientPool pool({torch::zeros({kSize})});
  std::mt19937 random(7);
  constexpr size_t kParts = 6;
  const auto gradients = part_gradients(kParts, kSize);
  for (const bool rounds : {false, true}) {
    const Tensor wanted = tree_sum(gradients, {0, kParts}, rounds);
    for (int i = 0; i < 10; ++i) {
      GradientSum sum(pool, {0, kParts}, kParts, stretches, rounds);
      std::vector<std::pair<NodeSum, size_t>> ends;  // all parts are begun before the first has ended
      for (size_t part = 0; part < kParts; ++part) {
        const NodeSum begun = sum.begin(part);
        EXPECT_EQ(begun.node, (MicroBatchRange{part, part + 1}));
        begun.gradient->flat().add_(gradients[part]);
        for (size_t stretch = 0; stretch < stretches.size(); ++stretch) ends.emplace_back(begun, stretch);
      }
      std::ranges::shuffle(ends, random);
      std::vector<size_t> left(stretches.size(), kParts);
      for (const auto& [part, stretch] : ends) EXPECT_EQ(sum.end(part, stretch), --left[stretch] == 0);
      for (size_t stretch = 0; stretch < stretches.size(); ++stretch) {
        const auto sums = sum.sums(stretch);
        ASSERT_EQ(sums.size(), 1U);
        EXPECT_EQ(sums[0].gradient, sum.sums(0)[0].gradient) << "one block holds it all";
        const FlatRange range = stretches[stretch];
        EXPECT_TRUE(sums[0].in(range).equal(wanted.narrow(0, range.begin, range.size()))) << stretch << rounds;
      }
    }
  }
}

TEST(GradientSum, NeedsNoSecondBlockForTheRightHalfOfAPair) {
  GradientPool pool({torch::zeros({50})});
  GradientSum sum(pool, {0, 2}, 2, {{0, 8192}, {8192, kNormChunk}}, false);
  const NodeSum left = sum.begin(0);
  sum.end(left, 0);
  EXPECT_NE(sum.begin(1).gradient, left.gradient) << "half of it is still being computed";
  sum.end(left, 1);
  const NodeSum right = sum.begin(1);
  EXPECT_EQ(right.gradient, left.gradient);
  EXPECT_EQ(right.node, (MicroBatchRange{0, 2}));
}

TEST(GradientPool, HasABlockAgainWhenNobodyHoldsIt) {
  GradientPool pool({torch::zeros({50})});
  auto block = pool.take(), held = block;
  const auto* address = block.get();
  block->flat().fill_(3);
  block.reset();
  EXPECT_NE(pool.take().get(), address) << "it is still held";
  held.reset();
  const auto one = pool.take(), other = pool.take();
  EXPECT_TRUE(one.get() == address || other.get() == address);
  EXPECT_EQ(one->flat().abs().sum().item<float>() + other->flat().abs().sum().item<float>(), 0);
}

TEST(GradientSum, OfAStretchIsThatOfItsNodes) {
  GradientPool pool({torch::zeros({50})});
  const auto gradients = part_gradients(12, 50);
  const auto sums = add(pool, gradients, {4, 8}, {7, 4, 6, 5}, false);
  ASSERT_EQ(sums.size(), 3U);
  EXPECT_EQ(sums[2].node, (MicroBatchRange{6, 8}));
  EXPECT_TRUE(first(sums[2].gradient->flat(), 50).equal(gradients[6] + gradients[7]));
}

TEST(GradientReducer, GivesEveryRankTheSumOfAll) {
  constexpr int64_t kSize = 5'000'000;  // more than one bucket
  for (const auto& [ranks, parts] :
       std::vector<std::pair<int64_t, size_t>>{{2, 2}, {2, 12}, {3, 12}, {4, 12}, {4, 3}}) {
    const auto gradients = part_gradients(parts, kSize);
    for (const GradientFormat form : {GradientFormat::Fp32, GradientFormat::Bf16}) {
      const bool rounds = form == GradientFormat::Bf16;
      const Tensor wanted = tree_sum(gradients, {0, parts}, rounds);
      testing::on_ranks(ranks, [&](const auto& group) {
        GradientPool pool({torch::zeros({kSize})});
        const MicroBatchRange share =
            share_of(parts, static_cast<size_t>(group->rank()), static_cast<size_t>(group->size()));
        std::vector<size_t> order(share.size());
        std::iota(order.begin(), order.end(), share.begin);
        const auto own = add(pool, gradients, share, order, rounds);
        const auto total = pool.take();
        GradientReducer exchange(group, form, GradientOf::All);
        exchange_all(exchange, own, parts, own.empty() ? total->flat() : own[0].gradient->flat());
        const Tensor& sum = own.empty() ? total->flat() : own[0].gradient->flat();
        EXPECT_TRUE(first(sum, kSize).equal(wanted)) << ranks << " ranks, " << parts << " parts, rounds " << rounds;
      });
    }
  }
}

TEST(GradientReducer, GivesEveryRankWhatItOwnsOfTheSum) {
  constexpr int64_t kSize = 5'000'000;
  constexpr size_t kParts = 6;
  const auto gradients = part_gradients(kParts, kSize);
  const Tensor wanted = tree_sum(gradients, {0, kParts}, false);
  testing::on_ranks(3, [&](const auto& group) {
    GradientPool pool({torch::zeros({kSize})});
    const auto rank = static_cast<size_t>(group->rank());
    const auto own = add(pool, gradients, {2 * rank, 2 * rank + 2}, {2 * rank, 2 * rank + 1}, false);
    GradientReducer exchange(group, GradientFormat::Fp32, GradientOf::Owned);
    const Tensor& sum = own[0].gradient->flat();
    exchange_all(exchange, own, kParts, sum);
    for (const FlatRange range : owned_by(group->rank(), 3, sum.numel())) {
      const int64_t size = std::min(range.end, kSize) - range.begin;
      EXPECT_TRUE(sum.narrow(0, range.begin, size).equal(wanted.narrow(0, range.begin, size))) << range.begin;
    }
  });
}

TEST(GradientReducer, SendsTheBytesOfARing) {
  GradientPool pool({torch::zeros({1'000'000})});
  const int64_t bytes = pool.take()->flat().numel() * 4;
  testing::on_ranks(4, [&](const auto& group) {
    GradientPool own_pool({torch::zeros({1'000'000})});
    const auto rank = static_cast<size_t>(group->rank());
    std::vector<NodeSum> own;
    own.push_back({.node = {rank, rank + 1}, .gradient = own_pool.take()});
    GradientReducer exchange(group, GradientFormat::Fp32, GradientOf::All);
    exchange_all(exchange, own, 4, own[0].gradient->flat());
    EXPECT_NEAR(static_cast<double>(exchange.bytes_sent()), 2.0 * 3 / 4 * static_cast<double>(bytes), 8.0 * kNormChunk);
    GradientReducer halved(group, GradientFormat::Bf16, GradientOf::All);
    exchange_all(halved, own, 4, own[0].gradient->flat());
    EXPECT_EQ(halved.bytes_sent(), exchange.bytes_sent() / 2);
    GradientReducer owned(group, GradientFormat::Fp32, GradientOf::Owned);
    exchange_all(owned, own, 4, own[0].gradient->flat());
    EXPECT_NEAR(static_cast<double>(owned.bytes_sent()), 3.0 / 4 * static_cast<double>(bytes), 4.0 * kNormChunk);
  });
}

TEST(GradientNorm, IsThatOfAllAndTheSameForAnyNumberOfThreads) {
  torch::manual_seed(2);
  const int before = at::get_num_threads();
  for (const int64_t chunks : {1, 3, 200}) {
    const Tensor flat = torch::randn({chunks * 16'384});
    at::set_num_threads(1);
    const double one = norm_of_chunks(chunk_norms(flat)).item<double>();
    at::set_num_threads(3);
    EXPECT_EQ(norm_of_chunks(chunk_norms(flat)).item<double>(), one);
    EXPECT_NEAR(one, flat.to(torch::kDouble).norm().item<double>(), 1e-5 * one);
  }
  at::set_num_threads(before);
}

}  // namespace
}  // namespace heed::training
