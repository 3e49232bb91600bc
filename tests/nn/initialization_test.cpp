#include "heed_torch/nn/initialization.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/norm.h"
#include "support/meta.h"

namespace heed::nn {
namespace {

struct Model : torch::nn::Module {
  explicit Model(bool with_extra = false) {
    if (with_extra) extra = register_module("extra", Linear(LinearOptions{.in = 200, .out = 100}));
    embedding = register_module("embedding", TokenEmbedding(TokenEmbeddingOptions{.vocab_size = 500, .d_model = 200}));
    qkv = register_module("qkv", Linear(LinearOptions{.in = 200, .out = 300, .stacked = 3}));
    linear = register_module("linear", Linear(LinearOptions{.in = 200, .out = 100}));
    norm = register_module("norm", Norm(NormOptions{.d_model = 100}));
  }
  Linear extra{nullptr}, qkv{nullptr}, linear{nullptr};
  TokenEmbedding embedding{nullptr};
  Norm norm{nullptr};
};

TEST(Initialization, RolesHaveTheirDistributions) {
  Model model;
  initialize(model, {}, 1);
  const double bound = std::sqrt(6.0 / 300);
  const Tensor& weight = model.linear->weight;
  EXPECT_LE(weight.abs().max().item<double>(), bound);
  EXPECT_GT(weight.abs().max().item<double>(), 0.99 * bound);
  EXPECT_NEAR(weight.mean().item<double>(), 0, 4 * bound / std::sqrt(3 * 20000.0));
  EXPECT_NEAR(weight.var().item<double>() * 3 / (bound * bound), 1, 0.03);
  EXPECT_EQ(model.linear->bias.abs().max().item<double>(), 0);
  EXPECT_EQ(model.norm->weight.min().item<double>(), 1);
  EXPECT_EQ(model.norm->bias.abs().max().item<double>(), 0);
  const Tensor words = model.embedding->weight.narrow(0, 1, 499);
  EXPECT_NEAR(words.std().item<double>() * std::sqrt(200), 1, 0.02);
  EXPECT_NEAR(words.pow(4).mean().item<double>() * 200 * 200, 3, 0.15);  // a normal's fourth moment
  EXPECT_EQ(model.embedding->weight[0].abs().max().item<double>(), 0);
}

TEST(Initialization, StackedMapsAreDrawnEachAsItself) {
  Model model;
  initialize(model, {}, 1);
  const auto maps = model.qkv->weight.chunk(3, 0);
  const double bound = std::sqrt(6.0 / 300);  // not 6 / 500
  for (const Tensor& map : maps) EXPECT_NEAR(map.abs().max().item<double>(), bound, 0.01 * bound);
  EXPECT_FALSE(maps[0].equal(maps[1]));
}

TEST(Initialization, BranchesMayBeginWithZeros) {
  struct Branch : torch::nn::Module {
    Branch() {
      first = register_module("first", Linear(LinearOptions{.in = 8, .out = 8}));
      last = register_module("last", Linear(LinearOptions{.in = 8, .out = 8, .ends_branch = true}));
    }
    Linear first{nullptr}, last{nullptr};
  } usual, zero;
  initialize(usual, {}, 1);
  initialize(zero, {.zero_branches = true}, 1);
  EXPECT_GT(usual.last->weight.abs().min().item<double>(), 0);
  EXPECT_EQ(zero.last->weight.abs().max().item<double>(), 0);
  EXPECT_TRUE(zero.first->weight.equal(usual.first->weight)) << "no other value changes";
}

TEST(Initialization, DependsOnSeedAndNameAlone) {
  Model first, second, larger(true);
  initialize(first, {}, 1);
  initialize(second, {}, 2);
  const int threads = at::get_num_threads();
  at::set_num_threads(3);
  initialize(larger, {}, 1);
  at::set_num_threads(threads);
  EXPECT_TRUE(first.linear->weight.equal(larger.linear->weight));
  EXPECT_TRUE(first.embedding->weight.equal(larger.embedding->weight));
  EXPECT_FALSE(first.linear->weight.equal(second.linear->weight));
  EXPECT_FALSE(larger.extra->weight.equal(larger.linear->weight));
}

TEST(Initialization, DistributionsAreOptions) {
  Model model;
  initialize(model, {.weights = Normal{.deviation = 0.5}, .embeddings = XavierNormal{.gain = 2}}, 1);
  EXPECT_NEAR(model.linear->weight.std().item<double>(), 0.5, 0.01);
  EXPECT_NEAR(model.embedding->weight.std().item<double>(), 2 * std::sqrt(2.0 / 700), 0.003);
  initialize(model, {.weights = XavierUniform{.gain = 3}}, 1);
  EXPECT_NEAR(model.linear->weight.abs().max().item<double>(), 3 * std::sqrt(6.0 / 300), 0.01);
}

TEST(Initialization, ForgottenParameterIsNamed) {
  struct Forgetful : torch::nn::Module {
    Tensor table = register_parameter("table", torch::zeros({2}));
  } module;
  try {
    initialize(module, {}, 1);
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find("`table` has no initial value"), std::string::npos);
  }
}

TEST(Initialization, RunsOnTheMetaDevice) {
  Model model;
  test_support::to_meta(model);
  initialize(model, {}, 1);
  EXPECT_TRUE(model.linear->weight.is_meta());
}

}  // namespace
}  // namespace heed::nn
