// Linear, TokenEmbedding, Norm, FeedForward and OutputLayer.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/feed_forward.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/norm.h"
#include "heed_torch/nn/output_layer.h"
#include "heed_torch/nn/random/random_scope.h"
#include "support/meta.h"

namespace heed::nn {
namespace {

void assign(const Tensor& parameter, const Tensor& values) {
  const torch::NoGradGuard no_grad;
  parameter.copy_(values);
}

void randomize(torch::nn::Module& module) {
  torch::manual_seed(3);
  for (const Tensor& parameter : module.parameters()) assign(parameter, torch::randn_like(parameter));
}

TEST(Linear, HandComputed) {
  Linear linear(LinearOptions{.in = 2, .out = 3});
  assign(linear->weight, torch::tensor({{1., 2.}, {3., 4.}, {5., 6.}}));
  assign(linear->bias, torch::tensor({10., 20., 30.}));
  EXPECT_TRUE(linear(torch::tensor({{{1., -1.}}}, at::kFloat)).equal(torch::tensor({{{9., 19., 29.}}}, at::kFloat)));
}

TEST(Linear, BiasIsAnOption) {
  Linear linear(LinearOptions{.in = 2, .out = 3, .bias = false});
  EXPECT_FALSE(linear->bias.defined());
  EXPECT_EQ(linear->parameters().size(), 1U);
  EXPECT_EQ(linear(torch::ones({4, 2})).abs().max().item<float>(), 0);
}

TEST(Linear, RefusesWrongWidths) {
  EXPECT_THROW(Linear(LinearOptions{.in = 0, .out = 3}), c10::Error);
  EXPECT_THROW(Linear(LinearOptions{.in = 2, .out = 4, .stacked = 3}), c10::Error);
  Linear linear(LinearOptions{.in = 2, .out = 3});
  EXPECT_THROW(linear(torch::ones({2, 3})), c10::Error);
}

TEST(TokenEmbedding, GivesScaledRows) {
  TokenEmbedding embedding(TokenEmbeddingOptions{.vocab_size = 3, .d_model = 2, .scale = 10});
  assign(embedding->weight, torch::tensor({{0., 0.}, {1., 2.}, {3., 4.}}));
  const Tensor vectors = embedding(torch::tensor({{2, 1, 0}}, at::kLong));
  EXPECT_TRUE(vectors.equal(torch::tensor({{{30., 40.}, {10., 20.}, {0., 0.}}}, at::kFloat)));
}

TEST(TokenEmbedding, GradientCountsUsesAndSparesPadding) {
  TokenEmbedding embedding(TokenEmbeddingOptions{.vocab_size = 4, .d_model = 2, .scale = 3});
  embedding(torch::tensor({{1, 3, 1}, {1, 0, 0}}, at::kLong)).sum().backward();
  EXPECT_TRUE(embedding->weight.grad().equal(torch::tensor({{0., 0.}, {9., 9.}, {0., 0.}, {3., 3.}}, at::kFloat)));
}

TEST(TokenEmbedding, RefusesOtherThanInt64) {
  TokenEmbedding embedding(TokenEmbeddingOptions{.vocab_size = 4, .d_model = 2});
  EXPECT_THROW(embedding(torch::ones({2}, at::kInt)), c10::Error);
}

TEST(Norm, LayerIsThatOfLibTorch) {
  Norm norm(NormOptions{.d_model = 6, .epsilon = 1e-5});
  randomize(*norm);
  torch::nn::LayerNorm theirs(torch::nn::LayerNormOptions({6}).eps(1e-5));
  assign(theirs->weight, norm->weight);
  assign(theirs->bias, norm->bias);
  const Tensor x = torch::randn({3, 4, 6});
  EXPECT_TRUE(torch::allclose(norm(x), theirs(x)));
}

TEST(Norm, LayerHandComputed) {
  Norm norm(NormOptions{.d_model = 2});
  assign(norm->weight, torch::tensor({2., 2.}));
  assign(norm->bias, torch::tensor({1., 1.}));  // of (1, 5): mean 3, deviation 2
  EXPECT_TRUE(torch::allclose(norm(torch::tensor({{1.F, 5.F}})), torch::tensor({{-1.F, 3.F}})));
}

TEST(Norm, RmsHandComputed) {
  Norm norm(NormOptions{.d_model = 2, .kind = NormKind::Rms});
  EXPECT_FALSE(norm->bias.defined());
  assign(norm->weight, torch::tensor({1., 10.}));
  const auto root = static_cast<float>(std::sqrt(12.5));  // of (3, 4): mean square 12.5
  EXPECT_TRUE(torch::allclose(norm(torch::tensor({{3.F, 4.F}})), torch::tensor({{3 / root, 40 / root}})));
}

TEST(Norm, EpsilonStandsBesideTheMeanSquare) {
  Norm norm(NormOptions{.d_model = 2, .kind = NormKind::Rms, .epsilon = 3.5});
  EXPECT_TRUE(torch::allclose(norm(torch::tensor({{3.F, 4.F}})), torch::tensor({{0.75F, 1.F}})));  // 16 = 12.5 + 3.5
  Norm layer(NormOptions{.d_model = 2, .epsilon = 3});
  EXPECT_TRUE(torch::allclose(layer(torch::tensor({{1.F, 3.F}})), torch::tensor({{-0.5F, 0.5F}})));  // 4 = 1 + 3
}

/// norm(x) of float64 numbers, by the formula.
Tensor norm_by_formula(const Tensor& x, const Norm& norm) {
  const Tensor centered = norm->bias.defined() ? x - x.mean(-1, true) : x;
  const Tensor normalized = centered / (centered.square().mean(-1, true) + norm->options().epsilon).sqrt();
  const Tensor scaled = normalized * norm->weight.to(at::kDouble);
  return norm->bias.defined() ? scaled + norm->bias.to(at::kDouble) : scaled;
}

/// The gradients of x, weight and bias of sum(residual * of_residual + norm(x) * of_y).
std::vector<Tensor> gradients_of(const std::pair<Tensor, Tensor>& both, const Tensor& of_residual, const Tensor& of_y,
                                 const Tensor& x, const Norm& norm) {
  const Tensor sum = (both.first * of_residual).sum() + (both.second * of_y).sum();
  std::vector<Tensor> inputs{x, norm->weight};
  if (norm->bias.defined()) inputs.push_back(norm->bias);
  return torch::autograd::grad({sum}, inputs);
}

TEST(Norm, OfBfloat16IsTheFormulaInBothPasses) {
  for (const NormKind kind : {NormKind::Layer, NormKind::Rms}) {
    for (const int64_t width : {3, 16, 70, 131}) {
      SCOPED_TRACE(width);
      Norm norm(NormOptions{.d_model = width, .kind = kind, .epsilon = 1e-3});
      randomize(*norm);
      const auto random = [&] { return torch::randn({3, 101, width}).to(at::kBFloat16); };  // rows of two blocks
      const Tensor x = random().add_(5).requires_grad_(), of_residual = random(), of_y = random();
      const Tensor exact = x.detach().to(at::kDouble).requires_grad_();
      const auto found = norm->with_residual(x);
      EXPECT_EQ(found.second.scalar_type(), at::kBFloat16);
      EXPECT_TRUE(found.first.equal(x));
      EXPECT_TRUE(norm(x).equal(found.second));
      const Tensor expected = norm_by_formula(exact, norm);
      EXPECT_TRUE(torch::allclose(found.second.to(at::kDouble), expected, 0.005, 0.005));
      const auto gradients = gradients_of(found, of_residual, of_y, x, norm);
      const auto exact_gradients = gradients_of({exact, expected}, of_residual, of_y, exact, norm);
      EXPECT_TRUE(torch::allclose(gradients[0].to(at::kDouble), exact_gradients[0], 0.01, 0.01));
      for (size_t i = 1; i < gradients.size(); ++i) {
        EXPECT_EQ(gradients[i].scalar_type(), at::kFloat);
        EXPECT_TRUE(torch::allclose(gradients[i], exact_gradients[i], 1e-3, 1e-2)) << i;
      }
    }
  }
}

TEST(Norm, OfEqualBfloat16NumbersIsTheBias) {
  Norm norm(NormOptions{.d_model = 131});
  randomize(*norm);
  const Tensor x = torch::full({2, 131}, 300.F).to(at::kBFloat16);
  EXPECT_TRUE(norm(x)[1].equal(norm->bias.to(at::kBFloat16)));
}

TEST(Norm, NoneHasNoParameters) {
  Norm norm(NormOptions{.d_model = 2, .kind = NormKind::None});
  const Tensor x = torch::randn({2, 2});
  EXPECT_TRUE(norm(x).is_same(x));
  EXPECT_TRUE(norm->parameters().empty());
}

TEST(Norm, NoneIsNoChoiceOfTheUser) {
  for (const auto& [kind, name] : option_names(NormKind::Layer)) EXPECT_NE(kind, NormKind::None) << name;
}

TEST(FeedForward, PlainIsTheFormula) {
  FeedForward layer(FeedForwardOptions{.d_model = 4, .d_hidden = 6});
  randomize(*layer);
  const Tensor x = torch::randn({2, 3, 4});
  const Tensor inner = torch::relu(torch::matmul(x, layer->hidden->weight.t()) + layer->hidden->bias);
  const Tensor expected = torch::matmul(inner, layer->output->weight.t()) + layer->output->bias;
  EXPECT_TRUE(torch::allclose(layer(x), expected, 1e-5, 1e-6));
}

TEST(FeedForward, GatedIsTheFormula) {
  FeedForward layer(
      FeedForwardOptions{.d_model = 4, .d_hidden = 6, .activation = Activation::Silu, .gated = true, .bias = false});
  randomize(*layer);
  EXPECT_EQ(layer->parameters().size(), 2U);
  const Tensor x = torch::randn({2, 4});
  const Tensor w = layer->hidden->weight.narrow(0, 0, 6), v = layer->hidden->weight.narrow(0, 6, 6);
  const Tensor gate = torch::matmul(x, w.t());
  const Tensor inner = gate / (1 + torch::exp(-gate)) * torch::matmul(x, v.t());
  EXPECT_TRUE(torch::allclose(layer(x), torch::matmul(inner, layer->output->weight.t()), 1e-5, 1e-6));
}

TEST(FeedForward, ActivationsHandComputed) {
  const Tensor x = torch::tensor({-1.F, 0.F, 2.F});
  EXPECT_TRUE(activate(x, Activation::Relu).equal(torch::tensor({0.F, 0.F, 2.F})));
  EXPECT_TRUE(torch::allclose(activate(x, Activation::Gelu), torch::tensor({-0.158655F, 0.F, 1.954500F})));
  EXPECT_TRUE(torch::allclose(activate(x, Activation::Silu), torch::tensor({-0.268941F, 0.F, 1.761594F})));
  EXPECT_TRUE(torch::allclose(activate(x, Activation::Sigmoid), torch::tensor({0.268941F, 0.5F, 0.880797F})));
}

TEST(FeedForward, ActivationDropoutWorksInTrainingOnly) {
  FeedForward layer(FeedForwardOptions{.d_model = 4, .d_hidden = 64, .activation_dropout = 0.5});
  randomize(*layer);
  const Tensor x = torch::randn({2, 4});
  layer->eval();
  const Tensor exact = layer(x);
  layer->train();
  const RandomScope scope(1, 1, 1);
  EXPECT_FALSE(torch::allclose(layer(x), exact));
}

TEST(OutputLayer, OwnMatrixAndBias) {
  OutputLayer layer(OutputLayerOptions{.d_model = 2, .vocab_size = 3, .bias = true});
  assign(layer->weight, torch::tensor({{1., 0.}, {0., 1.}, {1., 1.}}));
  assign(layer->bias, torch::tensor({0., 0., 5.}));
  EXPECT_TRUE(layer(torch::tensor({{2.F, 3.F}})).equal(torch::tensor({{2.F, 3.F, 10.F}})));
}

TEST(OutputLayer, TiedMatrixIsBorrowedAndCountedOnce) {
  struct Parts : torch::nn::Module {
    TokenEmbedding embedding =
        register_module("embedding", TokenEmbedding(TokenEmbeddingOptions{.vocab_size = 5, .d_model = 3}));
    OutputLayer output =
        register_module("output", OutputLayer(OutputLayerOptions{.d_model = 3, .vocab_size = 5}, embedding));
  } parts;
  EXPECT_EQ(parts.named_parameters().keys(), std::vector<std::string>{"embedding.weight"});
  EXPECT_TRUE(parts.output->matrix().is_same(parts.embedding->weight));
  assign(parts.embedding->weight, torch::ones({5, 3}));
  EXPECT_TRUE(parts.output(torch::ones({1, 3})).equal(torch::full({1, 5}, 3.F)));
  parts.output(parts.embedding(torch::tensor({4}, at::kLong))).sum().backward();
  EXPECT_FLOAT_EQ(parts.embedding->weight.grad().sum().item<float>(), 5 * 3 + 5 * 3);  // both uses
}

TEST(Layers, RunOnTheMetaDevice) {
  struct Parts : torch::nn::Module {
    TokenEmbedding embedding =
        register_module("embedding", TokenEmbedding(TokenEmbeddingOptions{.vocab_size = 5, .d_model = 4, .scale = 2}));
    Norm layer_norm = register_module("layer_norm", Norm(NormOptions{.d_model = 4}));
    Norm rms_norm = register_module("rms_norm", Norm(NormOptions{.d_model = 4, .kind = NormKind::Rms}));
    FeedForward feed_forward =
        register_module("feed_forward", FeedForward(FeedForwardOptions{.d_model = 4, .d_hidden = 6, .gated = true}));
    OutputLayer output = register_module(
        "output", OutputLayer(OutputLayerOptions{.d_model = 4, .vocab_size = 5, .bias = true}, embedding));
  } parts;
  test_support::to_meta(parts);
  const Tensor tokens = torch::empty({2, 3}, torch::dtype(at::kLong).device(at::kMeta));
  const Tensor states = parts.feed_forward(parts.rms_norm(parts.layer_norm(parts.embedding(tokens))));
  parts.output(states).sum().backward();
  for (const auto& parameter : parts.named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_TRUE(parameter.value().grad().is_meta()) << parameter.key();
  }
}

TEST(OutputLayer, RefusesAnEmbeddingOfOtherSize) {
  const TokenEmbedding embedding(TokenEmbeddingOptions{.vocab_size = 5, .d_model = 3});
  EXPECT_THROW(OutputLayer(OutputLayerOptions{.d_model = 3, .vocab_size = 6}, embedding), c10::Error);
}

}  // namespace
}  // namespace heed::nn
