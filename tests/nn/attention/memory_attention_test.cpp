// Scores, windows and choices of a recurrent decoder's attention, against hand-computed values.
#include "heed_torch/nn/attention/memory_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <torch/torch.h>

#include "heed_torch/nn/attention/idf_table.h"
#include "heed_torch/nn/random/random_draw.h"
#include "heed_torch/nn/random/random_scope.h"
#include "nn/values.h"

namespace heed::nn {
namespace {

const std::vector<ScoreOptions>& all_scores() {
  static const std::vector<ScoreOptions> scores{DotScore{},
                                                ScaledDotScore{},
                                                CosineScore{},
                                                GeneralScore{},
                                                GeneralScore{.scale = ScoreScale::Fixed},
                                                GeneralScore{.scale = ScoreScale::Learned},
                                                AdditiveScore{},
                                                AdditiveScore{.normalized = true},
                                                LocationScore{},
                                                UniformScore{},
                                                IdfScore{},
                                                TfIdfScore{}};
  return scores;
}

/// Scores of one query and one key each, in double.
double score_of(AttentionScore& score, const Tensor& query, const Tensor& key) {
  const Tensor keys = score.keys(key.view({1, 1, -1}), at::zeros({1, 1}, at::kLong));
  return (*score.begin(keys))(query.view({1, 1, -1}), {}).item<double>();
}

TEST(AttentionScore, AreTheFormulasOfThePapers) {
  const Tensor s = at::tensor({1.0f, 2.0f}), h = at::tensor({3.0f, -0.5f});
  const at::NoGradGuard no_grad;
  EXPECT_NEAR(score_of(*make_attention_score(DotScore{}, {.d_query = 2, .d_memory = 2}), s, h), 2, 1e-6);
  EXPECT_NEAR(score_of(*make_attention_score(ScaledDotScore{}, {.d_query = 2, .d_memory = 2}), s, h),
              2 / std::sqrt(2.0), 1e-6);
  EXPECT_EQ(score_of(*make_attention_score(UniformScore{}, {.d_query = 2, .d_memory = 2}), s, h), 0);

  const auto cosine = make_attention_score(CosineScore{}, {.d_query = 2, .d_memory = 2});
  cosine->parameters()[0].fill_(4);
  EXPECT_NEAR(score_of(*cosine, s, h), 4 * 2 / (std::sqrt(5.0) * std::sqrt(9.25)), 1e-6);

  for (const auto& [scale, factor] :
       {std::pair{ScoreScale::None, 1.0}, std::pair{ScoreScale::Fixed, 1 / std::sqrt(2.0)},
        std::pair{ScoreScale::Learned, 0.25}}) {
    const auto general = make_attention_score(GeneralScore{.scale = scale}, {.d_query = 2, .d_memory = 2});
    general->named_parameters()["key.weight"].copy_(at::tensor({1.0f, 2.0f, 0.5f, -1.0f}).view({2, 2}));
    if (scale == ScoreScale::Learned) general->named_parameters()["scale"].fill_(0.25);
    EXPECT_NEAR(score_of(*general, s, h), factor * (1 * (3 - 1) + 2 * (1.5 + 0.5)), 1e-6);
  }

  const auto location = make_attention_score(LocationScore{.max_source = 3}, {.d_query = 2, .d_memory = 2});
  location->named_parameters()["position.weight"].copy_(at::tensor({0.5f, 0.25f, 9.0f, 9.0f, 9.0f, 9.0f}).view({3, 2}));
  EXPECT_NEAR(score_of(*location, s, h), 0.5 + 0.5, 1e-6) << "the first position's row, whatever the key";

  const auto additive = make_attention_score(AdditiveScore{.hidden = 1}, {.d_query = 2, .d_memory = 2});
  auto parameters = additive->named_parameters();
  parameters["query.weight"].copy_(at::tensor({0.1f, 0.2f}).view({1, 2}));
  parameters["key.weight"].copy_(at::tensor({0.3f, 0.4f}).view({1, 2}));
  parameters["key.bias"].fill_(0.05);
  parameters["vector"].fill_(1.5);
  EXPECT_NEAR(score_of(*additive, s, h), 1.5 * std::tanh(0.5 + 0.7 + 0.05), 1e-6);

  const auto normalized =
      make_attention_score(AdditiveScore{.hidden = 2, .normalized = true}, {.d_query = 2, .d_memory = 2});
  auto values = normalized->named_parameters();
  values["query.weight"].copy_(at::eye(2));
  values["key.weight"].copy_(at::eye(2));
  values["key.bias"].zero_();
  values["vector"].copy_(at::tensor({3.0f, 4.0f}).view({1, 2}));
  values["length"].fill_(2);
  EXPECT_NEAR(score_of(*normalized, s, h), 2 * (0.6 * std::tanh(4.0) + 0.8 * std::tanh(1.5)), 1e-6);
}

TEST(AttentionScore, GeneralsLearnedFactorBeginsWithTheFixedOne) {
  const auto general = make_attention_score(GeneralScore{.scale = ScoreScale::Learned}, {.d_query = 16, .d_memory = 3});
  initialize(*general, {}, /*seed=*/1);
  EXPECT_FLOAT_EQ(general->named_parameters()["scale"].item<float>(), 0.25f);
}

TEST(AttentionScore, TheNormalizedAdditivesFactorBeginsAsTensorflowsDoes) {
  const auto normalized =
      make_attention_score(AdditiveScore{.hidden = 16, .normalized = true}, {.d_query = 4, .d_memory = 3});
  initialize(*normalized, {}, /*seed=*/1);
  EXPECT_FLOAT_EQ(normalized->named_parameters()["length"].item<float>(), 0.25f);  // 1 / sqrt(hidden)
}

TEST(AttentionScore, TheCosineWithNothingIsNothing) {
  const auto cosine = make_attention_score(CosineScore{}, {.d_query = 2, .d_memory = 2});
  const Tensor h = at::tensor({3.0f, -0.5f});
  EXPECT_EQ(score_of(*cosine, at::zeros({2}), h), 0);
  EXPECT_EQ(score_of(*cosine, h, at::zeros({2})), 0);
}

TEST(AttentionScore, SomeNeedEqualWidths) {
  for (const ScoreOptions& score : all_scores()) {
    if (needs_equal_widths(score)) {
      EXPECT_THROW(make_attention_score(score, {.d_query = 2, .d_memory = 3}), c10::Error);
    } else {
      EXPECT_NO_THROW(make_attention_score(score, {.d_query = 2, .d_memory = 3}));
    }
  }
}

TEST(AttentionScore, NamesThoseOfAProperty) {
  EXPECT_EQ(score_names(needs_equal_widths), "dot, scaled-dot and cosine");
  EXPECT_EQ(score_names(is_static), "uniform, idf and tf-idf");
}

TEST(AttentionScore, LocationRefusesLongerSources) {
  const auto score = make_attention_score(LocationScore{.max_source = 3}, {.d_query = 2, .d_memory = 2});
  EXPECT_NO_THROW(score->begin(at::zeros({1, 3, 2})));
  EXPECT_THROW(score->begin(at::zeros({1, 4, 2})), c10::Error);
}

constexpr ScoreShape kShape{.d_query = 4, .d_memory = 4, .vocabulary = 9};

struct Example {
  Tensor states = random({3, 5, 4}, 1);  // the memory of sentences of 5, 3 and 0 real tokens
  Tensor tokens = at::tensor({4, 5, 6, 5, 3, 7, 8, 3, 0, 0, 0, 0, 0, 0, 0}).view({3, 5});
  Tensor real = at::arange(5).unsqueeze(0).lt(at::tensor({5, 3, 0}).unsqueeze(1));
  Tensor query = random({3, 2, 4}, 2);
  Tensor position = at::arange(2).unsqueeze(0);
};

/// What is attended at after `before` looks of the same query.
AttentionResult attend(MemoryAttention& attention, const Example& given, int before = 0) {
  const RandomScope scope(1, 1, 1);
  Tensor coverage = attention->no_coverage(given.states, given.query.size(1));
  const MemoryAttentionPass pass = attention->begin(attention->attend_to(given.states, given.tokens, given.real));
  for (int i = 0; i < before; ++i) pass(given.query, given.position, coverage);
  return pass(given.query, given.position, coverage);
}

std::vector<MemoryAttentionOptions> all_attentions() {
  std::vector<MemoryAttentionOptions> all;
  for (const CoverageOptions& coverage : {CoverageOptions{LinguisticCoverage{}}, CoverageOptions{NeuralCoverage{}}}) {
    all.push_back({.score = AdditiveScore{}, .window = {}, .function = {}, .coverage = coverage});
  }
  for (const ScoreOptions& score : all_scores()) {
    for (const AttentionFunction& function :
         {AttentionFunction{HardAttention{}}, AttentionFunction{GumbelAttention{}}}) {
      all.push_back({.score = score, .window = MonotonicWindow{.half_width = 2}, .function = function});
    }
    for (const WindowOptions& window : {WindowOptions{GlobalWindow{}}, WindowOptions{MonotonicWindow{.half_width = 1}},
                                        WindowOptions{PredictedWindow{.half_width = 2}}}) {
      for (const AttentionFunction& function :
           {AttentionFunction{SoftAttention{}}, AttentionFunction{SparsemaxAttention{}}}) {
        all.push_back({.score = score, .window = window, .function = function});
      }
    }
  }
  return all;
}

TEST(MemoryAttention, PaddingReceivesNoWeightAndAnEmptySourceGivesZeros) {
  const Example given;
  for (const MemoryAttentionOptions& options : all_attentions()) {
    MemoryAttention attention(options, kShape);
    fill_normal(*attention, 3);
    const AttentionResult attended = attend(attention, given);
    EXPECT_EQ(attended.context.sizes(), (std::vector<int64_t>{3, 2, 4}));
    EXPECT_EQ(attended.weights.masked_select(given.real.logical_not().unsqueeze(1)).abs().sum().item<double>(), 0);
    EXPECT_EQ(attended.context[2].abs().max().item<double>(), 0);
    EXPECT_FALSE(attended.weights.isnan().any().item<bool>());
    EXPECT_GE(attended.weights.min().item<double>(), 0);
    if (std::holds_alternative<PredictedWindow>(options.window)) continue;  // its weights do not sum to 1
    EXPECT_LT(largest_difference(attended.weights.narrow(0, 0, 2).sum(-1), at::ones({2, 2})), 1e-5);
  }
}

TEST(MemoryAttention, EveryParameterHasAGradient) {
  Example given;
  given.states.requires_grad_();
  for (const MemoryAttentionOptions& options : all_attentions()) {
    MemoryAttention attention(options, kShape);
    fill_normal(*attention, 3);
    const AttentionResult attended = attend(attention, given, /*before=*/1);
    Tensor loss = attended.context.square().sum();
    if (attended.samples.any()) loss = loss + (attended.samples.log_probability + attended.samples.baseline).sum();
    loss.backward();
    for (const auto& item : attention->named_parameters()) {
      ASSERT_TRUE(item.value().grad().defined()) << item.key();
      EXPECT_FALSE(item.value().grad().isnan().any().item<bool>()) << item.key();
      EXPECT_GT(item.value().grad().abs().max().item<double>(), 0) << item.key();
    }
  }
}

TEST(MemoryAttention, TheMonotonicWindowFollowsTheTargetAndStaysWithinTheSource) {
  const Example given;
  MemoryAttention attention(
      MemoryAttentionOptions{.score = UniformScore{}, .window = MonotonicWindow{.half_width = 1}, .function = {}},
      kShape);
  const MemoryAttentionPass pass = attention->begin(attention->attend_to(given.states, given.tokens, given.real));
  const auto weights = [&](int64_t t) {
    Tensor coverage;
    return pass(given.query.narrow(1, 0, 1), at::full({1, 1}, t), coverage).weights;
  };
  EXPECT_LT(largest_difference(weights(0)[0][0], at::tensor({0.5, 0.5, 0., 0., 0.})), 1e-6);
  EXPECT_LT(largest_difference(weights(2)[0][0], at::tensor({0., 1., 1., 1., 0.}) / 3), 1e-6);
  EXPECT_LT(largest_difference(weights(2)[1][0], at::tensor({0., 0.5, 0.5, 0., 0.})), 1e-6);
  EXPECT_LT(largest_difference(weights(9)[0][0], at::tensor({0., 0., 0., 0.5, 0.5})), 1e-6) << "beyond its end";
}

TEST(MemoryAttention, ThePredictedWindowPrefersItsMiddle) {
  const Tensor states = random({1, 5, 4}, 1);
  MemoryAttention attention(
      MemoryAttentionOptions{.score = UniformScore{}, .window = PredictedWindow{.half_width = 2}, .function = {}},
      kShape);
  const at::NoGradGuard no_grad;
  attention->predict_hidden->weight.zero_();
  attention->predict_middle->weight.zero_();  // p = 5 sigmoid(0) = 2.5
  const AttentionResult attended = attend(attention, {.states = states,
                                                      .tokens = at::ones({1, 5}, at::kLong),
                                                      .real = at::ones({1, 5}, at::kBool),
                                                      .query = random({1, 1, 4}, 2),
                                                      .position = at::zeros({1, 1}, at::kLong)});
  std::vector<double> expected;
  for (const int64_t j : {0, 1, 2, 3, 4}) {
    const double distance = double(j) - 2.5;
    expected.push_back(std::abs(distance) > 2 ? 0 : std::exp(-distance * distance / (2 * 1 * 1)) / 4);
  }
  EXPECT_LT(largest_difference(attended.weights[0][0], at::tensor(expected).to(at::kFloat)), 1e-6);
}

TEST(StaticWeights, AreInverseDocumentFrequencies) {
  const Example given;
  const Tensor lines_with = at::tensor({0, 0, 0, 10, 1, 5, 2, 0, 10});
  const auto weights = [&](const ScoreOptions& score) {
    MemoryAttention attention(MemoryAttentionOptions{.score = score, .window = {}, .function = {}}, kShape);
    EXPECT_TRUE(has_idf_table(*attention));
    set_document_frequencies(*attention, lines_with, 10);
    return attend(attention, given).weights;
  };
  // Sentence 4 5 6 5 eos: idf ln 10, ln 2, ln 5, ln 2, 0; sentence 7 8 eos: ln 10 (in no line), 0, 0.
  const double of_4 = std::log(10), of_5 = std::log(2), of_6 = std::log(5);
  const Tensor idf = at::tensor({of_4, of_5, of_6, of_5, 0.0});
  const Tensor tf_idf = at::tensor({of_4, 2 * of_5, of_6, 2 * of_5, 0.0});
  EXPECT_LT(largest_difference(weights(IdfScore{})[0][0], (idf / idf.sum()).to(at::kFloat)), 1e-6);
  EXPECT_LT(largest_difference(weights(TfIdfScore{})[0][0], (tf_idf / tf_idf.sum()).to(at::kFloat)), 1e-6);
  EXPECT_LT(largest_difference(weights(IdfScore{})[1][0], at::tensor({1.0f, 0.0f, 0.0f, 0.0f, 0.0f})), 1e-6);
}

TEST(StaticWeights, WithoutRareTokensAreEqual) {
  const Example given;
  MemoryAttention attention(MemoryAttentionOptions{.score = IdfScore{}, .window = {}, .function = {}}, kShape);
  set_document_frequencies(*attention, at::full({9}, 7, at::kLong), 7);
  EXPECT_LT(largest_difference(attend(attention, given).weights[0][0], at::full({5}, 0.2)), 1e-6);
  EXPECT_FALSE(has_idf_table(*MemoryAttention(MemoryAttentionOptions{}, kShape)));
}

TEST(SoftAttention, LeavesForbiddenPositionsNothingHoweverLowTheOthersAre) {
  const Tensor allowed = at::tensor({1, 1, 0}).to(at::kBool);
  const Tensor weights =
      attend_by(SoftAttention{}, at::tensor({-4e4f, -4e4f, 9.0f}), allowed, /*training=*/false).weights;
  EXPECT_LT(largest_difference(weights, at::tensor({0.5, 0.5, 0.0})), 1e-6);
}

TEST(HardAttention, IsOnePositionSampledBySoftmaxAndTheBestOneWhenNotTraining) {
  const Tensor scores = at::tensor({0.0, std::log(3.0), 0.0, 9.0}).expand({20000, 4}).contiguous();
  const Tensor allowed = at::tensor({1, 1, 1, 0}).to(at::kBool);
  for (const AttentionFunction& options : {AttentionFunction{HardAttention{}}, AttentionFunction{GumbelAttention{}}}) {
    const RandomScope scope(1, 1, 1);
    const AttendedPositions chosen = attend_by(options, scores, allowed, /*training=*/true);
    EXPECT_EQ(chosen.weights.sum(1).sub(1).abs().max().item<double>(), 0);
    const Tensor share = chosen.weights.mean(0);
    EXPECT_LT(largest_difference(share, at::tensor({0.2, 0.6, 0.2, 0.0}).to(share.scalar_type())), 0.015);
    const AttendedPositions best = attend_by(options, scores, allowed, /*training=*/false);
    EXPECT_EQ(best.weights.narrow(1, 1, 1).sum().item<double>(), 20000);
    EXPECT_FALSE(best.log_probability.defined());
    EXPECT_EQ(attend_by(options, scores, at::zeros({4}, at::kBool), true).weights.abs().max().item<double>(), 0);
  }
}

TEST(HardAttention, TellsTheLogProbabilityAndTheEntropy) {
  const RandomScope scope(1, 1, 1);
  const Tensor scores = at::tensor({0.0, std::log(3.0)}).expand({50, 2}).contiguous();
  const AttendedPositions chosen = attend_by(HardAttention{}, scores, at::ones({2}, at::kBool), true);
  const Tensor expected = (chosen.weights * at::tensor({std::log(0.25), std::log(0.75)})).sum(1);
  EXPECT_LT(largest_difference(chosen.log_probability, expected.to(scores.scalar_type())), 1e-6);
  const double entropy = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
  EXPECT_LT(largest_difference(chosen.entropy, at::full({50}, entropy, scores.options())), 1e-6);
}

TEST(HardAttention, AShareGivesWayToTheSoftmax) {
  Tensor scores = at::tensor({0.0, std::log(3.0), 7.0}).expand({20000, 3}).contiguous().requires_grad_();
  const Tensor allowed = at::tensor({1, 1, 0}).to(at::kBool);
  const RandomScope scope(1, 1, 1);
  const AttendedPositions chosen = attend_by(HardAttention{.expected_share = 0.25}, scores, allowed, /*training=*/true);
  const Tensor expected = chosen.log_probability.eq(0);
  EXPECT_NEAR(expected.to(at::kDouble).mean().item<double>(), 0.25, 0.015);
  const auto rows = [&](const Tensor& mask) { return chosen.weights.index({mask}); };
  const Tensor softmax = at::tensor({0.25, 0.75, 0.0}).to(scores.scalar_type());
  EXPECT_LT(largest_difference(rows(expected), softmax.expand_as(rows(expected))), 1e-6);
  EXPECT_EQ(rows(expected.bitwise_not()).amax(1).min().item<double>(), 1);
  const Tensor gradient = torch::autograd::grad({(chosen.weights.select(1, 0)).sum()}, {scores})[0].select(1, 0);
  EXPECT_EQ(gradient.masked_fill(expected, 0).abs().max().item<double>(), 0);
  EXPECT_NEAR(gradient.index({expected}).mean().item<double>(), 0.25 * 0.75, 1e-6);
  const AttendedPositions best = attend_by(HardAttention{.expected_share = 1}, scores, allowed, /*training=*/false);
  EXPECT_EQ(best.weights.select(1, 1).sum().item<double>(), 20000);
}

TEST(GumbelAttention, PassesTheGradientOfTheRelaxedChoiceStraightThrough) {
  Tensor scores = at::tensor({0.3, -0.2, 0.5}).requires_grad_();
  const Tensor upstream = at::tensor({1.0, 2.0, -1.0});
  const auto gradient_at = [&](double temperature) {
    const RandomScope scope(1, 2, 3);
    const AttendedPositions chosen =
        attend_by(GumbelAttention{.temperature = temperature}, scores, at::ones({3}, at::kBool), true);
    return torch::autograd::grad({(chosen.weights * upstream.to(scores.scalar_type())).sum()}, {scores})[0];
  };
  // The same noise as the function's, found by choosing with the scores' own gradient known: softmax's Jacobian.
  const RandomScope scope(1, 2, 3);
  const Tensor noise = gumbel_noise(scores.detach());
  const Tensor p = ((at::log_softmax(scores.detach(), -1) + noise) / 0.5).softmax(-1);
  const Tensor up = upstream.to(p.scalar_type());
  const Tensor expected = p * (up - (p * up).sum()) / 0.5;
  EXPECT_LT(largest_difference(gradient_at(0.5), expected), 1e-6);
}

TEST(ScoreFunction, AChoiceAnswersForTheLossesThatFollow) {
  const Tensor real = at::tensor({1, 1, 1, 1, 1, 0}).to(at::kBool).view({2, 3});
  const Tensor losses = at::tensor({1.0, 2.0, 4.0, 3.0, 5.0, 0.0}).view({2, 3});
  const auto gradients = [&](HardAttention options) {
    Tensor log_p = at::zeros({2, 3}, losses.options()).requires_grad_();
    Tensor baseline = at::full({2, 3}, 0.5, losses.options()).requires_grad_();
    Tensor entropy = at::zeros({2, 3}, losses.options()).requires_grad_();
    const Tensor loss = reinforce_loss({log_p, entropy, baseline, options}, losses, real);
    EXPECT_EQ(loss.item<double>(), 0);
    (loss + 0 * entropy.sum()).backward();
    return std::vector<Tensor>{log_p.grad(), baseline.grad(), entropy.grad()};
  };
  const auto like = [&](std::vector<double> values) {
    return at::tensor(values).view({2, 3}).to(losses.scalar_type());
  };
  const auto all = gradients({});
  EXPECT_LT(largest_difference(all[0], like({7 - 1.5, 6 - 1, 4 - 0.5, 8 - 1, 5 - 0.5, 0})), 1e-6);
  EXPECT_LT(largest_difference(all[1], 0.01 * like({0.5 - 7 / 3., 0.5 - 3, 0.5 - 4, 0.5 - 4, 0.5 - 5, 0})), 1e-6);
  const auto next = gradients({.horizon = 2, .entropy_weight = 0.25});
  EXPECT_LT(largest_difference(next[0], like({3 - 1, 6 - 1, 4 - 0.5, 8 - 1, 5 - 0.5, 0})), 1e-6);
  EXPECT_LT(largest_difference(next[2], like({-0.25, -0.25, -0.25, -0.25, -0.25, 0})), 1e-6);
}

TEST(Coverage, LinguisticAddsWeightsOverFertility) {
  Coverage coverage(LinguisticCoverage{.max_fertility = 4}, 2, 1);
  const at::NoGradGuard no_grad;
  coverage->source->weight.fill_(1);
  const Tensor states = at::tensor({0.0f, std::log(3.0f)}).view({1, 2, 1});  // fertilities 4 * 1/2 and 4 * 3/4
  const CoveragePass pass(*coverage, states);
  const Tensor weights = at::tensor({0.4f, 0.6f}).view({1, 1, 2}), query = at::zeros({1, 1, 2});
  Tensor covered = at::zeros({1, 1, 2, 1});
  for (int i = 0; i < 2; ++i) covered = pass.after(covered, weights, query);
  EXPECT_LT(largest_difference(covered.flatten(), at::tensor({2 * 0.4f / 2, 2 * 0.6f / 3})), 1e-6);
}

TEST(Coverage, NeuralIsTheFormula) {
  Coverage coverage(NeuralCoverage{.width = 1}, 1, 1);
  const at::NoGradGuard no_grad;
  coverage->source->weight.fill_(0.5);
  coverage->source->bias.fill_(0.25);
  coverage->step->weight.copy_(at::tensor({2.0f, 3.0f}).view({1, 2}));
  coverage->query->weight.fill_(-1);
  const CoveragePass pass(*coverage, at::full({1, 1, 1}, 2.0f));
  const Tensor after = pass.after(at::full({1, 1, 1, 1}, 0.1f), at::full({1, 1, 1}, 0.3f), at::full({1, 1, 1}, 0.7f));
  EXPECT_NEAR(after.item<double>(), std::tanh(2 * 0.1 + 3 * 0.3 + 0.5 * 2 + 0.25 - 0.7), 1e-6);
}

TEST(Coverage, ChangesTheWeightsOfWhatWasLookedAt) {
  const Example given;
  MemoryAttention attention(
      MemoryAttentionOptions{.score = AdditiveScore{}, .window = {}, .function = {}, .coverage = LinguisticCoverage{}},
      kShape);
  fill_normal(*attention, 3);
  const MemoryAttentionPass pass = attention->begin(attention->attend_to(given.states, given.tokens, given.real));
  Tensor coverage = attention->no_coverage(given.states, 2);
  const Tensor first = pass(given.query, given.position, coverage).weights;
  EXPECT_EQ(coverage.sizes(), (std::vector<int64_t>{3, 2, 5, 1}));
  EXPECT_EQ(coverage.masked_select(given.real.logical_not().view({3, 1, 5, 1})).abs().sum().item<double>(), 0);
  EXPECT_GT(largest_difference(pass(given.query, given.position, coverage).weights, first), 1e-3);
}

TEST(Sparsemax, IsTheClosestPointOfTheSimplex) {
  const Tensor all = at::ones({3}, at::kBool);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({1.0, 0.8, 0.1}), all), at::tensor({0.6, 0.4, 0.0})), 1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({2.0, 0.0, 0.0}), all), at::tensor({1.0, 0.0, 0.0})), 1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::zeros({3}, at::kDouble), all), at::full({3}, 1.0 / 3, at::kDouble)), 1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({9.0, 0.5, 0.5}), at::tensor({0, 1, 1}).to(at::kBool)),
                               at::tensor({0.0, 0.5, 0.5})),
            1e-6);
  EXPECT_LT(largest_difference(sparsemax(at::tensor({1e9, 1e9, 0.0}), all), at::tensor({0.5, 0.5, 0.0})), 1e-6)
      << "scores that leave no digits for 1";
  EXPECT_LT(largest_difference(sparsemax(at::tensor({-4e4, -4.1e4, 9.0}), at::tensor({1, 1, 0}).to(at::kBool)),
                               at::tensor({1.0, 0.0, 0.0})),
            1e-6)
      << "scores far below 0";
  EXPECT_TRUE(sparsemax(at::tensor({std::nan(""), 1.0, 0.0}), all).isnan().any().item<bool>())
      << "a loss that is not finite, which training passes over";
}

TEST(Sparsemax, HasTheGradientOfMartinsAndAstudillo) {
  const Tensor scores = at::tensor({1.0, 0.8, 0.1}).requires_grad_();
  const Tensor upstream = at::tensor({0.7, -0.2, 5.0});
  sparsemax(scores, at::ones({3}, at::kBool)).backward(upstream);
  EXPECT_LT(largest_difference(scores.grad(), at::tensor({0.45, -0.45, 0.0})), 1e-6) << "minus the mean of the support";
}

}  // namespace
}  // namespace heed::nn
