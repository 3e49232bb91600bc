#include "heed_torch/nn/lora.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed_torch/nn/attention/attention.h"
#include "heed_torch/nn/feed_forward.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/random/random_scope.h"
#include "nn/values.h"

namespace heed::nn {
namespace {

at::Tensor matrix(std::vector<std::vector<float>> rows) {
  std::vector<at::Tensor> all;
  for (const auto& row : rows) all.push_back(torch::tensor(row));
  return at::stack(all);
}

/// W0 = [1 2; 3 4], b = [10 20], A = [1 -1], B = [2; 0.5], alpha / r = 3.
Linear adapted_by_hand() {
  Linear linear(LinearOptions{.in = 2, .out = 2});
  const at::NoGradGuard no_grad;
  linear->weight.copy_(matrix({{1, 2}, {3, 4}}));
  linear->bias.copy_(torch::tensor({10.0f, 20.0f}));
  linear->adapt({.rank = 1, .alpha = 3}, {0});
  linear->lora->base.copy_(linear->weight);
  linear->lora->down.copy_(matrix({{1, -1}}));
  linear->lora->up.copy_(matrix({{2}, {0.5}}));
  return linear;
}

/// Any module, with values and bases.
template <class Module>
Module adapted(Module module, const LoraOptions& options) {
  fill_normal(*module, 1);
  add_lora(*module, options);
  keep_lora_bases(*module);
  const at::NoGradGuard no_grad;
  for (auto& item : module->named_parameters()) {
    if (is_of_lora(item.key())) item.value().copy_(random(item.value().sizes(), item.value().numel()) * 0.1);
  }
  return module;
}

TEST(Lora, AddsTheScaledProductOfTwoNarrowMatrices) {
  Linear linear = adapted_by_hand();
  // W0 x = [7 15]; A x = 1 - 3 = -2; 3 B A x = [-12 -3]
  const at::Tensor y = linear(torch::tensor({{1.0f, 3.0f}}));
  EXPECT_TRUE(torch::equal(y, torch::tensor({{7.0f - 12 + 10, 15.0f - 3 + 20}}))) << y;
}

TEST(Lora, MergesIntoTheWeightWhenItEvaluates) {
  Linear linear = adapted_by_hand();
  const at::Tensor x = torch::tensor({{1.0f, 3.0f}, {-2.0f, 0.5f}});
  const at::Tensor unmerged = linear(x);
  EXPECT_TRUE(torch::equal(linear->weight, matrix({{1, 2}, {3, 4}}))) << "not yet";
  linear->eval();
  EXPECT_TRUE(torch::equal(linear->weight, matrix({{1 + 6, 2 - 6}, {3 + 1.5, 4 - 1.5}}))) << linear->weight;
  EXPECT_LT(largest_difference(linear(x), unmerged), 1e-5);
  linear->train();
  EXPECT_TRUE(torch::equal(linear(x), unmerged)) << "training goes on from the base";
}

TEST(Lora, BeginsAsTheTrainedMapToTheBit) {
  Linear plain(LinearOptions{.in = 24, .out = 36, .stacked = 3});
  fill_normal(*plain, 3);
  const at::Tensor x = random({5, 24}, 4), y = plain(x);
  plain->adapt({.rank = 4}, {0, 2});
  initialize(*plain->lora, {}, 1);  // the whole map would lose its values
  const at::NoGradGuard no_grad;
  plain->lora->base.copy_(plain->weight);
  EXPECT_GT(plain->lora->down.abs().min().item<double>(), 0);
  EXPECT_NEAR(plain->lora->down.std().item<double>(), 1 / std::sqrt(24.0), 0.05);
  EXPECT_EQ(plain->lora->up.abs().max().item<double>(), 0);
  EXPECT_TRUE(torch::equal(plain(x), y));
}

TEST(Lora, ChangesTheStackedMapsThatItAdaptsAlone) {
  Linear linear(LinearOptions{.in = 4, .out = 9, .bias = false, .stacked = 3});
  fill_normal(*linear, 5);
  const at::Tensor x = random({2, 6, 4}, 6), before = linear(x);
  EXPECT_EQ(linear->adapt({.rank = 2}, {0, 2}), 2);
  EXPECT_EQ(linear->lora->down.sizes(), (at::IntArrayRef{4, 4}));
  EXPECT_EQ(linear->lora->up.sizes(), (at::IntArrayRef{6, 2}));
  const at::NoGradGuard no_grad;
  linear->lora->base.copy_(linear->weight);
  linear->lora->down.copy_(random({4, 4}, 7));
  linear->lora->up.copy_(random({6, 2}, 8));
  const at::Tensor now = linear(x);
  EXPECT_TRUE(torch::equal(now.narrow(-1, 3, 3), before.narrow(-1, 3, 3)));
  EXPECT_GT(largest_difference(now.narrow(-1, 0, 3), before.narrow(-1, 0, 3)), 0.1);
  EXPECT_GT(largest_difference(now.narrow(-1, 6, 3), before.narrow(-1, 6, 3)), 0.1);
  linear->eval();
  EXPECT_LT(largest_difference(linear(x), now), 1e-4);
}

TEST(Lora, OfWholeLayersMergedAndUnmergedAreOne) {
  const AttentionOptions options{.d_model = 8, .kind = MultiHead{.heads = 2}};
  const at::Tensor x = random({3, 5, 8}, 9), memory = random({3, 4, 8}, 10);
  const auto compare = [](const char* name, torch::nn::Module& module, const std::function<at::Tensor()>& forward) {
    const at::NoGradGuard no_grad;
    const at::Tensor unmerged = forward();
    module.eval();
    EXPECT_LT(largest_difference(forward(), unmerged), 1e-4) << name;
    const auto names = module.named_parameters().size();
    remove_lora(module);
    EXPECT_LT(module.named_parameters().size(), names);
    EXPECT_FALSE(lora_of(module)) << name;
    EXPECT_LT(largest_difference(forward(), unmerged), 1e-4) << name << ", an ordinary one";
  };
  SelfAttention self = adapted(SelfAttention(options), {.rank = 2});
  compare("self", *self, [&] { return self(x, AttentionFrame{}).context; });
  CrossAttention cross = adapted(CrossAttention(options), {.rank = 2});
  compare("cross", *cross, [&] { return cross(x, cross->project(memory), AttentionMask{}).context; });
  for (const bool gated : {false, true}) {
    FeedForward network =
        adapted(FeedForward(FeedForwardOptions{.d_model = 8, .d_hidden = 12, .gated = gated}), {.rank = 2});
    compare("feed-forward", *network, [&] { return network(x); });
  }
}

TEST(Lora, AdaptsTheMapsThatAreNamedAndFreezesAllElse) {
  const AttentionOptions options{.d_model = 8, .kind = MultiHead{.heads = 2}};
  const auto maps = [&](const std::vector<std::string>& names) {
    SelfAttention self(options);
    CrossAttention cross(options);
    FeedForward gated(FeedForwardOptions{.d_model = 8, .d_hidden = 12, .gated = true});
    const LoraOptions lora{.maps = names};
    return std::vector<int64_t>{add_lora(*self, lora), add_lora(*cross, lora), add_lora(*gated, lora)};
  };
  EXPECT_EQ(maps({"query", "value"}), (std::vector<int64_t>{2, 2, 0}));
  EXPECT_EQ(maps({"key"}), (std::vector<int64_t>{1, 1, 0}));
  EXPECT_EQ(maps({"output"}), (std::vector<int64_t>{1, 1, 0}));
  EXPECT_EQ(maps({"feed-forward"}), (std::vector<int64_t>{0, 0, 3}));
  SelfAttention self(options);
  add_lora(*self, {});
  for (const auto& item : self->named_parameters()) {
    EXPECT_EQ(item.value().requires_grad(), is_of_lora(item.key())) << item.key();
  }
  EXPECT_EQ(lora_of(*self), LoraOptions{});
}

TEST(Lora, DropoutDrawsForWhatTheUpdateReads) {
  Linear linear = adapted(Linear(LinearOptions{.in = 8, .out = 8}), {});
  linear->adapt({.rank = 2, .dropout = 0.5}, {0});
  const at::NoGradGuard no_grad;
  linear->lora->down.copy_(random({2, 8}, 1));
  linear->lora->up.copy_(random({8, 2}, 2));
  const at::Tensor x = random({4, 8}, 3);
  const auto read = [&](uint64_t update) {
    const RandomScope random(1, update, 0);
    return linear(x);
  };
  EXPECT_TRUE(torch::equal(read(1), read(1)));
  EXPECT_GT(largest_difference(read(1), read(2)), 0.1);
  linear->eval();
  EXPECT_NO_THROW(linear(x)) << "which draws nothing";
}

TEST(Lora, RefusesMapsThatThereAreNot) {
  const auto complaint = [](const std::vector<std::string>& maps) -> std::string {
    try {
      validate(LoraOptions{.maps = maps});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      complaint({"query", "queries"}),
      "`train.adapter.target-modules` must be some of query, key, value, output, feed-forward, but one is `queries`");
  EXPECT_EQ(complaint({"key", "key"}), "`train.adapter.target-modules` names `key` twice");
  EXPECT_EQ(complaint({}), "`train.adapter.target-modules` must name projections, but is empty");
}

}  // namespace
}  // namespace heed::nn
