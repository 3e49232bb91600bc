// Scores, windows and choices of a recurrent decoder's attention, against hand-computed values.
#include "heed/nn/memory_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <torch/torch.h>

namespace heed::nn {
namespace {

double largest_difference(const Tensor& found, const Tensor& expected) {
  TORCH_CHECK(found.sizes() == expected.sizes(), "found ", found.sizes(), ", expected ", expected.sizes());
  return (found - expected).abs().max().item<double>();
}

void fill(torch::nn::Module& module, uint64_t seed) {
  const at::NoGradGuard no_grad;
  at::Generator generator = at::detail::createCPUGenerator(seed);
  for (Tensor& parameter : module.parameters()) parameter.normal_(0, 0.5, generator);
}

Tensor random(at::IntArrayRef shape, uint64_t seed) {
  return at::randn(shape, at::detail::createCPUGenerator(seed));
}

const std::vector<ScoreOptions>& all_scores() {
  static const std::vector<ScoreOptions> scores{
      DotScore{},      ScaledDotScore{}, CosineScore{}, GeneralScore{}, AdditiveScore{}, AdditiveScore{.normalized = true},
      LocationScore{}, UniformScore{}};
  return scores;
}

/// Scores of one query and one key each, in double.
double score_of(AttentionScore& score, const Tensor& query, const Tensor& key) {
  const Tensor keys = score.keys(key.view({1, 1, -1}));
  return (*score.begin(keys))(query.view({1, 1, -1})).item<double>();
}

TEST(AttentionScore, AreTheFormulasOfThePapers) {
  const Tensor s = at::tensor({1.0f, 2.0f}), h = at::tensor({3.0f, -0.5f});
  const at::NoGradGuard no_grad;
  EXPECT_NEAR(score_of(*make_attention_score(DotScore{}, 2, 2), s, h), 2, 1e-6);
  EXPECT_NEAR(score_of(*make_attention_score(ScaledDotScore{}, 2, 2), s, h), 2 / std::sqrt(2.0), 1e-6);
  EXPECT_EQ(score_of(*make_attention_score(UniformScore{}, 2, 2), s, h), 0);

  const auto cosine = make_attention_score(CosineScore{}, 2, 2);
  cosine->parameters()[0].fill_(4);
  EXPECT_NEAR(score_of(*cosine, s, h), 4 * 2 / (std::sqrt(5.0) * std::sqrt(9.25)), 1e-6);

  const auto general = make_attention_score(GeneralScore{}, 2, 2);
  general->named_parameters()["key.weight"].copy_(at::tensor({1.0f, 2.0f, 0.5f, -1.0f}).view({2, 2}));
  EXPECT_NEAR(score_of(*general, s, h), 1 * (3 - 1) + 2 * (1.5 + 0.5), 1e-6);

  const auto location = make_attention_score(LocationScore{.max_source = 3}, 2, 2);
  location->named_parameters()["position.weight"].copy_(at::tensor({0.5f, 0.25f, 9.0f, 9.0f, 9.0f, 9.0f}).view({3, 2}));
  EXPECT_NEAR(score_of(*location, s, h), 0.5 + 0.5, 1e-6) << "the first position's row, whatever the key";

  const auto additive = make_attention_score(AdditiveScore{.hidden = 1}, 2, 2);
  auto parameters = additive->named_parameters();
  parameters["query.weight"].copy_(at::tensor({0.1f, 0.2f}).view({1, 2}));
  parameters["key.weight"].copy_(at::tensor({0.3f, 0.4f}).view({1, 2}));
  parameters["key.bias"].fill_(0.05);
  parameters["vector"].fill_(1.5);
  EXPECT_NEAR(score_of(*additive, s, h), 1.5 * std::tanh(0.5 + 0.7 + 0.05), 1e-6);

  const auto normalized = make_attention_score(AdditiveScore{.hidden = 2, .normalized = true}, 2, 2);
  auto values = normalized->named_parameters();
  values["query.weight"].copy_(at::eye(2));
  values["key.weight"].copy_(at::eye(2));
  values["key.bias"].zero_();
  values["vector"].copy_(at::tensor({3.0f, 4.0f}).view({1, 2}));
  values["length"].fill_(2);
  EXPECT_NEAR(score_of(*normalized, s, h), 2 * (0.6 * std::tanh(4.0) + 0.8 * std::tanh(1.5)), 1e-6);
}

TEST(AttentionScore, SomeNeedEqualWidths) {
  for (const ScoreOptions& score : all_scores()) {
    if (needs_equal_widths(score)) {
      EXPECT_THROW(make_attention_score(score, 2, 3), c10::Error);
    } else {
      EXPECT_NO_THROW(make_attention_score(score, 2, 3));
    }
  }
}

TEST(AttentionScore, LocationRefusesLongerSources) {
  const auto score = make_attention_score(LocationScore{.max_source = 3}, 2, 2);
  EXPECT_EQ(score->max_source(), 3);
  EXPECT_NO_THROW(score->begin(at::zeros({1, 3, 2})));
  EXPECT_THROW(score->begin(at::zeros({1, 4, 2})), c10::Error);
}

struct Example {
  Tensor states = random({3, 5, 4}, 1);  // the memory of sentences of 5, 3 and 0 real tokens
  Tensor real = at::arange(5).unsqueeze(0).lt(at::tensor({5, 3, 0}).unsqueeze(1));
  Tensor query = random({3, 2, 4}, 2);
  Tensor position = at::arange(2).unsqueeze(0);
};

std::vector<MemoryAttentionOptions> all_attentions() {
  std::vector<MemoryAttentionOptions> all;
  for (const ScoreOptions& score : all_scores()) {
    for (const WindowOptions& window : {WindowOptions{GlobalWindow{}}, WindowOptions{MonotonicWindow{.half_width = 1}},
                                        WindowOptions{PredictedWindow{.half_width = 2}}}) {
      for (const ChoiceOptions& choice : {ChoiceOptions{SoftChoice{}}, ChoiceOptions{SparsemaxChoice{}}}) {
        all.push_back({.score = score, .window = window, .choice = choice});
      }
    }
  }
  return all;
}

TEST(MemoryAttention, PaddingReceivesNoWeightAndAnEmptySourceGivesZeros) {
  const Example given;
  for (const MemoryAttentionOptions& options : all_attentions()) {
    MemoryAttention attention(options, 4, 4);
    fill(*attention, 3);
    const Looked looked = attention->begin(attention->attend_to(given.states, given.real))(given.query, given.position);
    EXPECT_EQ(looked.context.sizes(), (std::vector<int64_t>{3, 2, 4}));
    EXPECT_EQ(looked.weights.masked_select(given.real.logical_not().unsqueeze(1)).abs().sum().item<double>(), 0);
    EXPECT_EQ(looked.context[2].abs().max().item<double>(), 0);
    EXPECT_FALSE(looked.weights.isnan().any().item<bool>());
    EXPECT_GE(looked.weights.min().item<double>(), 0);
    if (std::holds_alternative<PredictedWindow>(options.window)) continue;  // its weights do not sum to 1
    EXPECT_LT(largest_difference(looked.weights.narrow(0, 0, 2).sum(-1), at::ones({2, 2})), 1e-5);
  }
}

TEST(MemoryAttention, EveryParameterHasAGradient) {
  Example given;
  given.states.requires_grad_();
  for (const MemoryAttentionOptions& options : all_attentions()) {
    MemoryAttention attention(options, 4, 4);
    fill(*attention, 3);
    const Looked looked = attention->begin(attention->attend_to(given.states, given.real))(given.query, given.position);
    looked.context.square().sum().backward();
    for (const auto& item : attention->named_parameters()) {
      ASSERT_TRUE(item.value().grad().defined()) << item.key();
      EXPECT_FALSE(item.value().grad().isnan().any().item<bool>()) << item.key();
    }
  }
}

TEST(MemoryAttention, TheMonotonicWindowFollowsTheTargetAndStaysWithinTheSource) {
  const Example given;
  MemoryAttention attention(
      MemoryAttentionOptions{.score = UniformScore{}, .window = MonotonicWindow{.half_width = 1}, .choice = {}}, 4, 4);
  const MemoryAttentionPass pass = attention->begin(attention->attend_to(given.states, given.real));
  const auto weights = [&](int64_t t) { return pass(given.query.narrow(1, 0, 1), at::full({1, 1}, t)).weights; };
  EXPECT_LT(largest_difference(weights(0)[0][0], at::tensor({0.5, 0.5, 0., 0., 0.})), 1e-6);
  EXPECT_LT(largest_difference(weights(2)[0][0], at::tensor({0., 1., 1., 1., 0.}) / 3), 1e-6);
  EXPECT_LT(largest_difference(weights(2)[1][0], at::tensor({0., 0.5, 0.5, 0., 0.})), 1e-6);
  EXPECT_LT(largest_difference(weights(9)[0][0], at::tensor({0., 0., 0., 0.5, 0.5})), 1e-6) << "beyond its end";
}

TEST(MemoryAttention, ThePredictedWindowPrefersItsMiddle) {
  const Tensor states = random({1, 5, 4}, 1);
  MemoryAttention attention(
      MemoryAttentionOptions{.score = UniformScore{}, .window = PredictedWindow{.half_width = 2}, .choice = {}}, 4, 4);
  const at::NoGradGuard no_grad;
  attention->predict_hidden->weight.zero_();
  attention->predict_middle->weight.zero_();  // p = 5 sigmoid(0) = 2.5
  const Looked looked = attention->begin(attention->attend_to(states, at::ones({1, 5}, at::kBool)))(
      random({1, 1, 4}, 2), at::zeros({1, 1}, at::kLong));
  std::vector<double> expected;
  for (const int64_t j : {0, 1, 2, 3, 4}) {
    const double distance = double(j) - 2.5;
    expected.push_back(std::abs(distance) > 2 ? 0 : std::exp(-distance * distance / (2 * 1 * 1)) / 4);
  }
  EXPECT_LT(largest_difference(looked.weights[0][0], at::tensor(expected).to(at::kFloat)), 1e-6);
}

TEST(Sparsemax, IsTheClosestPointOfTheSimplex) {
  const Tensor all = at::ones({3}, at::kBool);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({1.0, 0.8, 0.1}), all), at::tensor({0.6, 0.4, 0.0})), 1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({2.0, 0.0, 0.0}), all), at::tensor({1.0, 0.0, 0.0})), 1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::zeros({3}, at::kDouble), all), at::full({3}, 1.0 / 3, at::kDouble)), 1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({9.0, 0.5, 0.5}), at::tensor({0, 1, 1}).to(at::kBool)),
                               at::tensor({0.0, 0.5, 0.5})),
            1e-6);
}

TEST(Sparsemax, HasTheGradientOfMartinsAndAstudillo) {
  const Tensor scores = at::tensor({1.0, 0.8, 0.1}).requires_grad_();
  const Tensor upstream = at::tensor({0.7, -0.2, 5.0});
  sparsemax(scores, at::ones({3}, at::kBool)).backward(upstream);
  EXPECT_LT(largest_difference(scores.grad(), at::tensor({0.45, -0.45, 0.0})), 1e-6) << "minus the mean of the support";
}

}  // namespace
}  // namespace heed::nn
