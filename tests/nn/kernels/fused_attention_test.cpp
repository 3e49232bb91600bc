#include "heed_torch/nn/fused/fused_attention.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed_torch/nn/attention/scaled_dot_product.h"
#include "heed_torch/nn/random/random_scope.h"
#include "nn/values.h"

namespace heed::nn {
namespace {

/// Context and gradients of the stacked states (one or two), with a loss that weighs every number of the context.
std::vector<Tensor> context_and_gradients(const Tensor& context, const std::vector<Tensor>& states) {
  const Tensor factors = random(context.sizes(), 9);
  std::vector<Tensor> all = torch::autograd::grad({(context * factors).sum()}, states);
  all.push_back(context.detach());
  return all;
}

void expect_equal(const std::vector<Tensor>& found, const std::vector<Tensor>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(largest_difference(found[i].to(at::kDouble), expected[i]), 2e-5) << i;
  }
}

/// The same by separate operations in double, from queries, keys and values [S, length, heads, d_head]; kept: what each
/// weight is multiplied by, [S, heads, query, key], or undefined.
Tensor spelled_out(const Tensor& query, const Tensor& keys, const Tensor& values, const AttentionMask& mask,
                   double scale, const Tensor& kept = {}) {
  Tensor scores = at::matmul(query.transpose(1, 2), keys.transpose(1, 2).transpose(2, 3)) * scale;
  if (mask.bias.defined()) scores = scores + mask.bias;
  Tensor weights = scores.softmax(-1);
  if (mask.blind.defined()) weights = weights.masked_fill(mask.blind, 0);
  if (kept.defined()) weights = weights * kept;
  return at::matmul(weights, values.transpose(1, 2)).transpose(1, 2).flatten(2);
}

/// Forms of masks for `queries` over `keys`, 3 sentences; the last sentence is all padding.
std::vector<AttentionMask> masks(int64_t queries, int64_t keys) {
  const Tensor lengths = at::tensor({keys, keys / 2 + 1, int64_t{0}}).unsqueeze(1);
  const Tensor real = at::arange(keys).unsqueeze(0) < lengths;
  std::vector<AttentionMask> result = {AttentionMask{}, AttentionMask::of_keys(real, at::kFloat)};
  if (queries == keys) result.push_back(AttentionMask::causal(keys, at::zeros({1})));
  return result;
}

Tensor doubled(const Tensor& x) { return x.detach().to(at::kDouble).requires_grad_(); }

class FusedAttention : public ::testing::TestWithParam<std::pair<int64_t, int64_t>> {};  // queries and keys

TEST_P(FusedAttention, ToItselfEqualsSeparateOperations) {
  const int64_t length = GetParam().second;
  for (const AttentionMask& mask : masks(length, length)) {
    const Tensor states = random({3, length, 3, 2, 32}, 1).requires_grad_();
    const Tensor context = fused_attention({states, {}}, mask, {.scale = 0.3});
    const Tensor exact = doubled(states);
    const auto parts = exact.unbind(2);
    expect_equal(context_and_gradients(context, {states}),
                 context_and_gradients(spelled_out(parts[0], parts[1], parts[2], mask, 0.3), {exact}));
  }
}

TEST_P(FusedAttention, ToAMemoryEqualsSeparateOperations) {
  const auto [queries, keys] = GetParam();
  for (const AttentionMask& mask : masks(queries, keys)) {
    const Tensor asked = random({3, queries, 1, 2, 48}, 1).requires_grad_();
    const Tensor memory = random({3, keys, 2, 2, 48}, 2).requires_grad_();
    const Tensor context = fused_attention({asked, memory}, mask, {.scale = 0.2});
    const Tensor exact = doubled(asked), exact_memory = doubled(memory);
    const auto parts = exact_memory.unbind(2);
    expect_equal(
        context_and_gradients(context, {asked, memory}),
        context_and_gradients(spelled_out(exact.select(2, 0), parts[0], parts[1], mask, 0.2), {exact, exact_memory}));
  }
}

TEST_P(FusedAttention, TurnsQueriesAndKeys) {
  const int64_t length = GetParam().second;
  for (const int64_t sentences : {1, 3}) {
    const Tensor positions = at::arange(length).unsqueeze(0) + at::arange(sentences).unsqueeze(1) * 5;
    const Rotation rotation = rotation_at(positions, 32, 10000, at::kFloat);
    const Rotation exactly = rotation_at(positions, 32, 10000, at::kDouble);
    const Tensor states = random({3, length, 3, 2, 32}, 1).requires_grad_();
    const Tensor context = fused_attention({states, {}}, {}, {.scale = 0.3, .rotation = rotation});
    const Tensor exact = doubled(states);
    const auto parts = exact.unbind(2);
    expect_equal(context_and_gradients(context, {states}),
                 context_and_gradients(
                     spelled_out(rotate(parts[0], exactly), rotate(parts[1], exactly), parts[2], {}, 0.3), {exact}));
  }
}

// Values that are the rows of the unit matrix make the context the weights after dropout, so that the mask can be read
// off; with it the gradients are those of separate operations.
TEST_P(FusedAttention, DropsWeightsTheSameWayInBothDirections) {
  const auto [queries, keys] = GetParam();
  const int64_t width = (keys + 15) / 16 * 16;
  const double probability = 0.25;
  const Tensor asked = random({3, queries, 1, 2, width}, 1);
  const Tensor unit = at::eye(keys, width).view({1, keys, 1, width}).expand({3, -1, 2, -1});
  const auto attend = [&](const Tensor& queries_of, const Tensor& memory, uint64_t part) {
    const RandomScope scope(1, 2, part);
    return fused_attention({queries_of, memory}, {}, {.scale = 0.3, .dropout = probability});
  };
  const Tensor keys_of = random({3, keys, 2, width}, 2);
  const Tensor dropped = attend(asked, at::stack({keys_of, unit}, 2), 0).view({3, queries, 2, width});
  const Tensor kept =
      dropped.narrow(3, 0, keys).transpose(1, 2).ne(0).to(at::kDouble) / (1 - probability);  // [S, heads, query, key]
  const double share = kept.mean().item<double>();
  EXPECT_NEAR(share, 1, 4 * std::sqrt(probability / (1 - probability) / static_cast<double>(kept.numel())));

  const Tensor states = random({3, keys, 2, 2, width}, 3);
  states.select(2, 0).copy_(keys_of);
  const Tensor memory = states.requires_grad_(), question = asked.requires_grad_();
  const Tensor exact = doubled(question), exact_memory = doubled(memory);
  const auto parts = exact_memory.unbind(2);
  expect_equal(
      context_and_gradients(attend(question, memory, 0), {question, memory}),
      context_and_gradients(spelled_out(exact.select(2, 0), parts[0], parts[1], {}, 0.3, kept), {exact, exact_memory}));
  if (kept.numel() > 100) {
    EXPECT_FALSE(at::equal(attend(question, memory, 0), attend(question, memory, 1)));
  }
}

// bfloat16 states are read and written; all numbers in between are those of float32 states.
TEST_P(FusedAttention, OfBfloat16IsThatOfFloat32Rounded) {
  const int64_t length = GetParam().second;
  const Rotation rotation = rotation_at(at::arange(length).unsqueeze(0), 32, 10000, at::kFloat);
  for (const AttentionMask& mask : masks(length, length)) {
    const Tensor low = random({3, length, 3, 2, 32}, 1).to(at::kBFloat16).requires_grad_();
    const Tensor wide = low.detach().to(at::kFloat).requires_grad_();
    const Tensor dy = random({3, length, 64}, 2).to(at::kBFloat16);
    const auto attend = [&](const Tensor& states) {
      const RandomScope scope(1, 2, 3);
      return fused_attention({states, {}}, mask, {.scale = 0.3, .dropout = 0.25, .rotation = rotation});
    };
    const Tensor found = attend(low), expected = attend(wide);
    EXPECT_TRUE(at::equal(found, expected.to(at::kBFloat16)));
    EXPECT_TRUE(at::equal(torch::autograd::grad({found}, {low}, {dy})[0],
                          torch::autograd::grad({expected}, {wide}, {dy.to(at::kFloat)})[0].to(at::kBFloat16)));
  }
}

TEST_P(FusedAttention, ToAMemoryOfBfloat16IsThatOfFloat32Rounded) {
  const auto [queries, keys] = GetParam();
  const Tensor low = random({3, queries, 1, 2, 48}, 1).to(at::kBFloat16).requires_grad_();
  const Tensor memory = random({3, keys, 2, 2, 48}, 2).to(at::kBFloat16).requires_grad_();
  const Tensor wide = low.detach().to(at::kFloat).requires_grad_();
  const Tensor wide_memory = memory.detach().to(at::kFloat).requires_grad_();
  const Tensor dy = random({3, queries, 96}, 3).to(at::kBFloat16);
  const Tensor found = fused_attention({low, memory}, {}, {.scale = 0.2});
  const Tensor expected = fused_attention({wide, wide_memory}, {}, {.scale = 0.2});
  EXPECT_TRUE(at::equal(found, expected.to(at::kBFloat16)));
  const auto of_found = torch::autograd::grad({found}, {low, memory}, {dy});
  const auto of_expected = torch::autograd::grad({expected}, {wide, wide_memory}, {dy.to(at::kFloat)});
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(at::equal(of_found[i], of_expected[i].to(at::kBFloat16))) << i;
}

TEST(FusedAttention, TurnsMasksAndDropsTogether) {
  const int64_t length = 20, width = 32;
  const Rotation rotation = rotation_at(at::arange(length).unsqueeze(0), width, 10000, at::kFloat);
  const Rotation exactly = rotation_at(at::arange(length).unsqueeze(0), width, 10000, at::kDouble);
  const Tensor unit = at::eye(length, width).view({1, length, 1, width}).expand({3, -1, 2, -1});
  for (const AttentionMask& mask : masks(length, length)) {
    const auto attend = [&](const Tensor& states) {
      const RandomScope scope(1, 2, 3);
      return fused_attention({states, {}}, mask, {.scale = 0.3, .dropout = 0.25, .rotation = rotation});
    };
    Tensor states = random({3, length, 3, 2, width}, 1);
    Tensor revealing = states.clone();
    revealing.select(2, 2).copy_(unit);
    const Tensor kept = attend(revealing).view({3, length, 2, width}).narrow(3, 0, length).transpose(1, 2).ne(0) / 0.75;
    states.requires_grad_();
    const Tensor exact = doubled(states);
    const auto parts = exact.unbind(2);
    expect_equal(context_and_gradients(attend(states), {states}),
                 context_and_gradients(spelled_out(rotate(parts[0], exactly), rotate(parts[1], exactly), parts[2], mask,
                                                   0.3, kept.to(at::kDouble)),
                                       {exact}));
  }
}

TEST(FusedAttention, RefusesSizesThatDoNotFit) {
  const Tensor queries = at::zeros({2, 3, 1, 2, 16}), states = at::zeros({2, 3, 3, 2, 16});
  const auto attend = [&](const Tensor& memory, const AttentionMask& mask) {
    return fused_attention({queries, memory}, mask, {});
  };
  EXPECT_THROW(attend(at::zeros({1, 4, 2, 2, 16}), {}), c10::Error);
  EXPECT_THROW(attend(at::zeros({2, 4, 1, 2, 16}), {}), c10::Error);
  EXPECT_THROW(attend(at::zeros({2, 4, 2, 1, 16}), {}), c10::Error);
  EXPECT_THROW(attend(at::zeros({2, 4, 2, 2, 16}), AttentionMask::causal(3, queries)), c10::Error);
  EXPECT_THROW(attend(at::zeros({2, 4, 2, 2, 16}), AttentionMask::of_keys(at::ones({3, 4}, at::kBool), at::kFloat)),
               c10::Error);
  EXPECT_THROW(
      fused_attention({states, {}}, {}, {.rotation = rotation_at(at::arange(4).unsqueeze(0), 16, 1e4, at::kFloat)}),
      c10::Error);
  EXPECT_THROW(fused_attention({queries, {}}, {}, {}), c10::Error);
}

INSTANTIATE_TEST_SUITE_P(Lengths, FusedAttention,
                         ::testing::Values(std::pair{1, 1}, std::pair{5, 7}, std::pair{16, 16}, std::pair{9, 33},
                                           std::pair{40, 20}));

TEST(FusedAttention, TakesViewsWithGapsAndWithOnePlaceForSeveralParts) {
  const Tensor wide = random({3, 6, 3, 2, 32}, 1);
  const Tensor copy = wide.narrow(0, 1, 2).narrow(1, 2, 4).contiguous();
  const Tensor view = wide.narrow(0, 1, 2).narrow(1, 2, 4);
  EXPECT_TRUE(at::equal(fused_attention({view, {}}, {}, {}), fused_attention({copy, {}}, {}, {})));
  const Tensor shared = random({2, 4, 1, 2, 16}, 1).requires_grad_();
  const auto run = [&](const Tensor& stacked) {
    return context_and_gradients(fused_attention({stacked, {}}, {}, {}), {shared});
  };
  const auto expanded = run(shared.expand({-1, -1, 3, -1, -1})), repeated = run(shared.repeat({1, 1, 3, 1, 1}));
  for (size_t i = 0; i < expanded.size(); ++i) EXPECT_LT(largest_difference(expanded[i], repeated[i]), 1e-6);
}

TEST(FusedAttention, DoesNotDependOnTheNumberOfThreads) {
  const Tensor states = random({8, 20, 3, 4, 32}, 1).requires_grad_();
  const auto run = [&](int threads) {
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    const RandomScope scope(1, 2, 3);
    auto all = context_and_gradients(fused_attention({states, {}}, {}, {.scale = 0.2, .dropout = 0.1}), {states});
    at::set_num_threads(before);
    return all;
  };
  const auto one = run(1), two = run(2);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(at::equal(one[i], two[i]));
}

TEST(FusedAttention, LeavesTheRestToSeparateOperations) {
  EXPECT_TRUE(suits_fused_attention({at::zeros({1, 2, 3, 2, 16}), {}}));
  EXPECT_FALSE(suits_fused_attention({at::zeros({1, 2, 3, 2, 8}), {}}));
  EXPECT_FALSE(suits_fused_attention({at::zeros({1, 2, 3, 2, 16}, at::kDouble), {}}));
  EXPECT_FALSE(suits_fused_attention({at::zeros({1, 1000, 3, 2, 16}), {}}));
  EXPECT_FALSE(suits_fused_attention({at::zeros({1, 2, 1, 2, 16}), at::zeros({1, 1000, 2, 2, 16})}));
}

}  // namespace
}  // namespace heed::nn
