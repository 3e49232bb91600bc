#include "heed_torch/nn/losses/cross_entropy.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "heed_torch/nn/losses/gradient_scale.h"
#include "heed_torch/nn/products/product.h"

namespace heed::nn {
namespace {

struct Case {
  Tensor hidden, weight, bias, targets;
  std::vector<Tensor> inputs() const {
    return bias.defined() ? std::vector{hidden, weight, bias} : std::vector{hidden, weight};
  }
};

Case make_case(int64_t positions, int64_t vocabulary, bool with_bias, at::ScalarType type = at::kFloat) {
  torch::manual_seed(7);
  const auto options = torch::dtype(type).requires_grad(true);
  return {.hidden = torch::randn({positions, 12}, options),
          .weight = torch::randn({vocabulary, 12}, options),
          .bias = with_bias ? torch::randn({vocabulary}, options) : Tensor(),
          .targets = torch::randint(vocabulary, {positions}, at::kLong)};
}

Case in_double(const Case& c) {
  const auto cast = [](const Tensor& x) { return x.defined() ? x.to(at::kDouble) : x; };
  return {.hidden = cast(c.hidden), .weight = cast(c.weight), .bias = cast(c.bias), .targets = c.targets};
}

LossSum plain(const Case& c, double smoothing) {
  const Tensor logits = at::linear(c.hidden, c.weight, c.bias);
  return {.loss = at::cross_entropy_loss(logits, c.targets, {}, at::Reduction::Sum, -100, smoothing),
          .rows = at::cross_entropy_loss(logits, c.targets, {}, at::Reduction::None, -100, smoothing),
          .nll = at::cross_entropy_loss(logits, c.targets, {}, at::Reduction::Sum)};
}

void expect_close(const Tensor& found, const Tensor& expected, double tolerance) {
  ASSERT_EQ(found.sizes(), expected.sizes());
  ASSERT_EQ(found.scalar_type(), expected.scalar_type());
  const double error = (found - expected).abs().max().item<double>();
  EXPECT_LE(error, tolerance * expected.abs().max().item<double>());
}

class LossAgainstLibTorch : public testing::TestWithParam<std::tuple<int64_t, bool, double, at::ScalarType>> {};

TEST_P(LossAgainstLibTorch, ValuesAndGradientsAgree) {
  const auto [vocabulary, with_bias, smoothing, type] = GetParam();
  const Case c = make_case(/*positions=*/40, vocabulary, with_bias, type);
  const LossSum ours = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, smoothing);
  const LossSum theirs = plain(c, smoothing);
  expect_close(ours.loss, theirs.loss, 1e-6);
  expect_close(ours.nll, theirs.nll, 1e-6);
  expect_close(ours.rows, theirs.rows, 1e-5);
  EXPECT_FALSE(ours.nll.requires_grad() || ours.rows.requires_grad());
  const auto our_gradients = torch::autograd::grad({ours.loss / 3}, c.inputs());
  const auto their_gradients = torch::autograd::grad({theirs.loss / 3}, c.inputs());
  for (size_t i = 0; i < our_gradients.size(); ++i) expect_close(our_gradients[i], their_gradients[i], 1e-5);
}

// Vocabularies below, at and above a multiple of the vector length.
INSTANTIATE_TEST_SUITE_P(Shapes, LossAgainstLibTorch,
                         testing::Combine(testing::Values(1, 5, 16, 1003), testing::Bool(), testing::Values(0.0, 0.1),
                                          testing::Values(at::kFloat, at::kDouble)));

/// R-Drop by separate operations; the positions are those of both passes.
Tensor plain_r_drop(const Case& c, const Tensor& targets, double smoothing, double alpha) {
  const Tensor log_probability = at::linear(c.hidden, c.weight, c.bias).log_softmax(1);
  const auto halves = log_probability.chunk(2);
  const auto divergence = [](const Tensor& from, const Tensor& to) { return (from.exp() * (from - to)).sum(); };
  const Tensor entropy =
      at::cross_entropy_loss(log_probability, at::cat({targets, targets}), {}, at::Reduction::Sum, -100, smoothing);
  return entropy / 2 + (divergence(halves[0], halves[1]) + divergence(halves[1], halves[0])) * (alpha / 4);
}

class RDropLoss : public testing::TestWithParam<std::tuple<int64_t, bool, at::ScalarType>> {};

TEST_P(RDropLoss, IsThatOfSeparateOperationsWithItsGradients) {
  const auto [vocabulary, with_bias, type] = GetParam();
  const Case c = make_case(/*positions=*/40, vocabulary, with_bias, type);
  const Tensor targets = c.targets.narrow(0, 0, 20);
  for (const double alpha : {0.0, 1.5}) {
    const LossSum ours = r_drop_cross_entropy(c.hidden, c.weight, c.bias, targets, 0.1, alpha);
    const Tensor theirs = plain_r_drop(c, targets, 0.1, alpha);
    expect_close(ours.loss, theirs, 1e-5);
    EXPECT_NEAR(ours.rows.sum().item<double>(), ours.loss.item<double>(), 1e-4 * ours.loss.item<double>());
    expect_close(ours.nll, plain({c.hidden, c.weight, c.bias, at::cat({targets, targets})}, 0).nll / 2, 1e-5);
    const auto our_gradients = torch::autograd::grad({ours.loss / 3}, c.inputs());
    const auto their_gradients = torch::autograd::grad({theirs / 3}, c.inputs());
    for (size_t i = 0; i < our_gradients.size(); ++i) {
      const double size = std::max(1e-3, their_gradients[i].abs().max().item<double>());
      EXPECT_LE((our_gradients[i] - their_gradients[i]).abs().max().item<double>(), 2e-5 * size) << i;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, RDropLoss,
                         testing::Combine(testing::Values(2, 5, 16, 1003), testing::Bool(),
                                          testing::Values(at::kFloat, at::kDouble)));

// Probabilities 1/4, 3/4 and 1/2, 1/2: KL(p || q) = ln 2 - H(p) = 0.130812, KL(q || p) = 0.143841; -log 1/4 = 1.386294.
TEST(RDrop, HandComputed) {
  const Tensor hidden = torch::tensor({{1.0F}, {0.0F}});
  const Tensor weight = torch::tensor({{0.0F}, {std::log(3.0F)}});
  const LossSum sum = r_drop_cross_entropy(hidden, weight, {}, torch::tensor({0}, at::kLong), 0, 2);
  EXPECT_NEAR(sum.nll.item<double>(), (1.386294 + 0.693147) / 2, 1e-5);
  EXPECT_NEAR(sum.loss.item<double>(), (1.386294 + 0.693147) / 2 + 0.5 * (0.130812 + 0.143841), 1e-5);
}

TEST(RDrop, TwoEqualPassesAreOne) {
  const Case c = make_case(/*positions=*/10, 37, true);
  const LossSum once = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1);
  const LossSum twice = r_drop_cross_entropy(at::cat({c.hidden, c.hidden}), c.weight, c.bias, c.targets, 0.1, 5);
  expect_close(twice.loss, once.loss, 1e-6);
  expect_close(twice.nll, once.nll, 1e-6);
}

TEST(RDrop, APairThatIsNotFiniteSaysSo) {
  const Case c = make_case(/*positions=*/4, 37, true);
  Tensor hidden = c.hidden.detach().clone();
  hidden[3][0] = std::numeric_limits<float>::infinity();
  const LossSum sum = r_drop_cross_entropy(hidden, c.weight.detach(), {}, c.targets.narrow(0, 0, 2), 0.1, 5);
  EXPECT_TRUE(sum.loss.isnan().item<bool>());
  EXPECT_EQ(sum.rows.isnan().sum().item<int64_t>(), 2);
}

/// Teachers with other widths than the model, for the positions of one pass.
std::vector<TeacherOutput> make_teachers(int64_t positions, int64_t vocabulary, at::ScalarType type) {
  torch::manual_seed(8);
  return {{.hidden = torch::randn({positions, 6}, type), .weight = torch::randn({vocabulary, 6}, type)},
          {.hidden = torch::randn({positions, 9}, type),
           .weight = torch::randn({vocabulary, 9}, type),
           .bias = torch::randn({vocabulary}, type)}};
}

/// w T^2 KL(q || p) of all positions by separate operations. logits: of one pass.
Tensor plain_divergence(const Tensor& logits, const Distillation& o, const Tensor& weights) {
  std::vector<Tensor> probabilities;
  for (const TeacherOutput& teacher : o.teachers) {
    probabilities.push_back((at::linear(teacher.hidden, teacher.weight, teacher.bias) / o.temperature).softmax(1));
  }
  const Tensor q = at::stack(probabilities).mean(0);
  const Tensor divergence = (q * (q.log() - (logits / o.temperature).log_softmax(1))).sum(1);
  return (divergence * weights).sum() * (o.weight * o.temperature * o.temperature);
}

class TaughtLoss : public testing::TestWithParam<std::tuple<int64_t, bool, at::ScalarType>> {};

TEST_P(TaughtLoss, IsThatOfSeparateOperationsWithItsGradients) {
  const auto [vocabulary, r_drop, type] = GetParam();
  const Case c = make_case(/*positions=*/40, vocabulary, true, type);
  const int64_t positions = r_drop ? 20 : 40;
  const Tensor targets = c.targets.narrow(0, 0, positions), weights = torch::rand({positions}, type) + 0.5;
  const Distillation taught{.teachers = make_teachers(positions, vocabulary, type), .weight = 0.3, .temperature = 2};
  LossTerms terms{.label_smoothing = 0.1, .weights = weights};
  if (r_drop) terms.r_drop = 1.5;
  const LossSum untaught = cross_entropy(c.hidden, c.weight, c.bias, targets, terms);
  terms.distillation = taught;
  const LossSum ours = cross_entropy(c.hidden, c.weight, c.bias, targets, terms);
  const auto passes = at::linear(c.hidden, c.weight, c.bias).chunk(r_drop ? 2 : 1);
  Tensor divergence = torch::zeros({}, type);
  for (const Tensor& logits : passes) divergence = divergence + plain_divergence(logits, taught, weights);
  const Tensor theirs = untaught.loss * 0.7 + divergence / static_cast<double>(passes.size());
  expect_close(ours.loss, theirs, 1e-5);
  EXPECT_NEAR(ours.rows.sum().item<double>(), ours.loss.item<double>(), 1e-4 * ours.loss.item<double>());
  EXPECT_TRUE(ours.nll.equal(untaught.nll)) << "the likelihood is that of the model itself";
  const auto our_gradients = torch::autograd::grad({ours.loss / 3}, c.inputs());
  const auto their_gradients = torch::autograd::grad({theirs / 3}, c.inputs());
  for (size_t i = 0; i < our_gradients.size(); ++i) {
    const double size = std::max(1e-3, their_gradients[i].abs().max().item<double>());
    EXPECT_LE((our_gradients[i] - their_gradients[i]).abs().max().item<double>(), 2e-5 * size) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, TaughtLoss,
                         testing::Combine(testing::Values(2, 16, 1003), testing::Bool(),
                                          testing::Values(at::kFloat, at::kDouble)));

// The model has 1/4 and 3/4, the teacher 1/2 and 1/2: KL(q || p) = ln(2 / sqrt 3) = 0.143841, -log 1/4 = 1.386294.
TEST(Distillation, HandComputed) {
  const Tensor hidden = torch::ones({1, 1}), weight = torch::tensor({{0.0F}, {std::log(3.0F)}});
  const TeacherOutput even{.hidden = torch::zeros({1, 1}), .weight = weight};
  const LossSum sum = cross_entropy(hidden, weight, {}, torch::tensor({0}, at::kLong),
                                    {.distillation = {.teachers = {even}, .weight = 0.25}});
  EXPECT_NEAR(sum.loss.item<double>(), 0.75 * 1.386294 + 0.25 * 0.143841, 1e-5);
  EXPECT_NEAR(sum.nll.item<double>(), 1.386294, 1e-5);
}

TEST(Distillation, AModelThatIsItsOwnTeacherHasNothingToLearnFromIt) {
  const Case c = make_case(/*positions=*/10, 37, true);
  const TeacherOutput same{.hidden = c.hidden, .weight = c.weight, .bias = c.bias};
  const LossSum sum = cross_entropy(c.hidden, c.weight, c.bias, c.targets,
                                    {.distillation = {.teachers = {same}, .weight = 1, .temperature = 3}});
  EXPECT_NEAR(sum.loss.item<double>(), 0, 1e-4);
  for (const Tensor& gradient : torch::autograd::grad({sum.loss}, c.inputs())) {
    EXPECT_LT(gradient.abs().max().item<double>(), 1e-4);
  }
}

TEST(Distillation, OfManyChunksIsThatOfOne) {
  const Case c = make_case(/*positions=*/40, /*vocabulary=*/260000, false);
  const auto loss = [&c](int64_t first, int64_t count) {
    const Case part{.hidden = c.hidden.detach().narrow(0, first, count),
                    .weight = c.weight.detach(),
                    .bias = {},
                    .targets = c.targets.narrow(0, first, count)};
    const TeacherOutput teacher{.hidden = c.hidden.detach().roll(1, 0).narrow(0, first, count), .weight = part.weight};
    return cross_entropy(part.hidden, part.weight, {}, part.targets, {.distillation = {.teachers = {teacher}}});
  };
  const Tensor whole = loss(0, 40).rows;
  for (const int64_t first : {0, 17, 39}) expect_close(whole.narrow(0, first, 1), loss(first, 1).rows, 1e-5);
}

TEST(Distillation, RefusesTeachersOfOtherSizes) {
  const Case c = make_case(/*positions=*/10, 37, true);
  const auto loss = [&c](const std::vector<TeacherOutput>& teachers, double temperature) {
    return cross_entropy(c.hidden, c.weight, c.bias, c.targets,
                         {.distillation = {.teachers = teachers, .temperature = temperature}});
  };
  EXPECT_THROW(loss(make_teachers(9, 37, at::kFloat), 1), c10::Error);
  EXPECT_THROW(loss(make_teachers(10, 36, at::kFloat), 1), c10::Error);
  EXPECT_THROW(loss(make_teachers(10, 37, at::kFloat), 0), c10::Error);
}

TEST(Loss, HandComputed) {
  // logits (0, ln 3): probabilities 1/4 and 3/4.
  const Tensor hidden = torch::ones({1, 1});
  const Tensor weight = torch::tensor({{0.0F}, {std::log(3.0F)}});
  const Tensor targets = torch::tensor({0}, at::kLong);
  const LossSum sum = smoothed_cross_entropy(hidden, weight, {}, targets, 0.2);
  EXPECT_NEAR(sum.nll.item<double>(), std::log(4.0), 1e-6);
  EXPECT_NEAR(sum.loss.item<double>(), 0.9 * std::log(4.0) + 0.1 * std::log(4.0 / 3), 1e-6);
}

TEST(Loss, GradientsAgreeWithFiniteDifferences) {
  const Case c = make_case(3, 4, true, at::kDouble);
  const LossSum sum = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1);
  const auto gradients = torch::autograd::grad({sum.loss}, c.inputs());
  const auto loss = [&c] {
    return smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1).loss.item<double>();
  };
  const torch::NoGradGuard no_grad;
  constexpr double kStep = 1e-6;
  for (size_t i = 0; i < gradients.size(); ++i) {
    Tensor input = c.inputs()[i].view({-1});
    for (int64_t j = 0; j < input.numel(); ++j) {
      const double value = input[j].item<double>();
      input[j] = value + kStep;
      const double above = loss();
      input[j] = value - kStep;
      const double below = loss();
      input[j] = value;
      EXPECT_NEAR(gradients[i].reshape(-1)[j].item<double>(), (above - below) / (2 * kStep), 1e-7);
    }
  }
}

TEST(Loss, SeveralChunksGiveTheSameAsOne) {
  // 32 MiB of float logits hold 279 rows of this vocabulary.
  const Case c = make_case(/*positions=*/300, /*vocabulary=*/30000, true);
  const LossSum ours = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1);
  const LossSum exact = plain(in_double(c), 0.1);
  expect_close(ours.loss.to(at::kDouble), exact.loss, 1e-6);
  const auto our_gradients = torch::autograd::grad({ours.loss}, c.inputs());
  const auto exact_gradients = torch::autograd::grad({exact.loss}, c.inputs());  // of c's inputs, in their type
  for (size_t i = 0; i < our_gradients.size(); ++i) expect_close(our_gradients[i], exact_gradients[i], 1e-5);
}

TEST(Loss, SeveralChunksHaveTheWeightsOfTheirPositions) {
  const Case c = make_case(/*positions=*/300, /*vocabulary=*/30000, false);
  const Tensor weights = torch::rand({300});
  const LossSum ours = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1, weights);
  expect_close(ours.rows, plain(c, 0.1).rows.detach() * weights, 1e-5);
}

TEST(RDrop, SeveralChunksHaveThePassesOfTheirPositions) {
  // 139 positions of both passes are a chunk.
  const Case c = make_case(/*positions=*/300, /*vocabulary=*/30000, false);
  const Tensor targets = c.targets.narrow(0, 0, 150);
  const LossSum ours = r_drop_cross_entropy(c.hidden, c.weight, c.bias, targets, 0.1, 1.5);
  expect_close(ours.loss.to(at::kDouble), plain_r_drop(in_double(c), targets, 0.1, 1.5), 1e-5);
}

TEST(Loss, OnlyWantedGradientsAreMade) {
  Case c = make_case(6, 9, true);
  c.weight.set_requires_grad(false);
  const Tensor loss = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1).loss;
  loss.backward();
  EXPECT_TRUE(c.hidden.grad().defined());
  EXPECT_FALSE(c.weight.grad().defined());
  EXPECT_TRUE(c.bias.grad().defined());
  const torch::NoGradGuard no_grad;
  const Tensor without = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1).loss;
  EXPECT_FALSE(without.requires_grad());
  EXPECT_EQ(without.item<float>(), loss.item<float>());
}

TEST(Loss, LargeLogitsAreExactAndInfiniteOnesAreNotHidden) {
  const Tensor hidden = torch::ones({1, 1});
  const Tensor targets = torch::tensor({1}, at::kLong);
  const auto loss = [&](float first, float second) {
    const Tensor weight = torch::tensor({{first}, {second}}).requires_grad_();
    const Tensor sum = smoothed_cross_entropy(hidden, weight, {}, targets, 0).loss;
    sum.backward();
    EXPECT_EQ(std::isnan(sum.item<float>()), weight.grad().isnan().all().item<bool>());
    return sum.item<float>();
  };
  EXPECT_FLOAT_EQ(loss(1000, 0), 1000);
  EXPECT_FLOAT_EQ(loss(-1000, 1000), 0);
  EXPECT_TRUE(std::isnan(loss(std::numeric_limits<float>::quiet_NaN(), 0)));
  EXPECT_TRUE(std::isnan(loss(std::numeric_limits<float>::infinity(), 0)));
}

TEST(Loss, ReducedPrecisionStaysNearFloat) {
  for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
    const Case c = make_case(30, 50, true);
    const Case exact{.hidden = c.hidden.detach().to(type).to(at::kFloat).requires_grad_(),
                     .weight = c.weight.detach().to(type).to(at::kFloat).requires_grad_(),
                     .bias = c.bias,
                     .targets = c.targets};
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, type);
    const LossSum ours = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1);
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
    const auto our_gradients = torch::autograd::grad({ours.loss}, c.inputs());
    const LossSum theirs = plain(exact, 0.1);
    const auto their_gradients = torch::autograd::grad({theirs.loss}, exact.inputs());
    EXPECT_EQ(ours.loss.scalar_type(), at::kFloat);
    expect_close(ours.loss, theirs.loss, 3e-3);
    for (size_t i = 0; i < our_gradients.size(); ++i) expect_close(our_gradients[i], their_gradients[i], 2e-2);
  }
}

/// hidden 1 and two words of logits 0 and `other`, of which the first is the target, in float16.
Tensor gradient_of_other_word(float hidden, float other, double scale) {
  const Tensor weight = torch::tensor({{0.F}, {other}}).to(at::kHalf).requires_grad_();
  const Tensor states = torch::full({1, 1}, hidden, at::kHalf);
  const LossSum sum = smoothed_cross_entropy(states, weight, {}, torch::zeros({1}, at::kLong), 0);
  sum.loss.backward(torch::full_like(sum.loss, scale));
  return weight.grad()[1].to(at::kFloat);
}

// p = exp(-20) = 2.06e-9, which is 0 in float16; a million times that is a number.
TEST(Loss, Float16ScalesGradientsBeforeItRoundsThem) {
  EXPECT_EQ(gradient_of_other_word(1, -20, 1e6).item<float>(), 0);
  const GradientScale scale(1e6);
  EXPECT_NEAR(gradient_of_other_word(1, -20, 1e6).item<double>(), 2.06e-3, 2e-6);
  EXPECT_NEAR(gradient_of_other_word(1, -20, 2e6).item<double>(), 4.12e-3, 4e-6) << "what backward says holds";
}

// float16 ends at 65504; p = 1/2.
TEST(Loss, Float16TakesAScaleBeyondItsRange) {
  EXPECT_NEAR(gradient_of_other_word(1e-3F, 0, 1e5).item<double>(), 50, 0.1);
  const GradientScale scale(1e5);
  EXPECT_NEAR(gradient_of_other_word(1e-3F, 0, 1e5).item<double>(), 50, 0.1);
}

TEST(Loss, TheScaleLeavesOtherTypesAsTheyAre) {
  const auto gradient = [] {
    const Case c = make_case(/*positions=*/5, /*vocabulary=*/7, true);
    smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1).loss.backward();
    return c.weight.grad();
  };
  const Tensor expected = gradient();
  const GradientScale scale(3);
  EXPECT_TRUE(at::equal(gradient(), expected));
}

TEST(Loss, RunsInBFloat16WithoutAutocast) {
  const Case c = make_case(30, 50, false, at::kBFloat16);
  const LossSum sum = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1);
  sum.loss.backward();
  EXPECT_EQ(sum.loss.scalar_type(), at::kFloat);
  EXPECT_EQ(c.weight.grad().scalar_type(), at::kBFloat16);
}

TEST(Loss, RunsOnTheMetaDevice) {
  const auto options = torch::device(at::kMeta).requires_grad(true);
  const Tensor hidden = torch::empty({7, 3}, options), weight = torch::empty({11, 3}, options);
  const Tensor targets = torch::empty({7}, torch::dtype(at::kLong).device(at::kMeta));
  smoothed_cross_entropy(hidden, weight, {}, targets, 0.1).loss.backward();
  EXPECT_TRUE(weight.grad().is_meta());
}

TEST(Loss, NoPositionsHaveLossZero) {
  const Case c = make_case(0, 5, true);
  const Tensor loss = smoothed_cross_entropy(c.hidden, c.weight, c.bias, c.targets, 0.1).loss;
  loss.backward();
  EXPECT_EQ(loss.item<float>(), 0);
  EXPECT_EQ(c.weight.grad().abs().sum().item<float>(), 0);
}

TEST(Loss, RefusesWrongArguments) {
  const Case c = make_case(4, 5, false);
  const auto loss = [&c](const Tensor& targets, double smoothing) {
    smoothed_cross_entropy(c.hidden, c.weight, c.bias, targets, smoothing);
  };
  EXPECT_THROW(loss(torch::tensor({0, 1, 2, 5}, at::kLong), 0.1), c10::IndexError);
  EXPECT_THROW(loss(torch::tensor({0, 1, 2, -1}, at::kLong), 0.1), c10::IndexError);
  EXPECT_THROW(loss(c.targets.narrow(0, 0, 3), 0.1), c10::Error);
  EXPECT_THROW(loss(c.targets.to(at::kInt), 0.1), c10::Error);
  EXPECT_THROW(loss(c.targets, 1), c10::Error);
}

// Logits are computed in several blocks. Inputs that bfloat16 can hold give the losses of float32; gradients of the
// logits are rounded.
TEST(RoundedLoss, IsThatOfFloat32) {
  const int64_t positions = 40;
  const auto near = [](const Tensor& found, const Tensor& expected, double tolerance) {
    ASSERT_EQ(found.sizes(), expected.sizes());
    const double error = (found.to(at::kFloat) - expected).abs().max().item<double>();
    EXPECT_LE(error, tolerance * expected.abs().max().item<double>());
  };
  for (const bool r_drop : {false, true}) {
    for (const bool with_bias : {false, true}) {
      Case c = make_case(r_drop ? 2 * positions : positions, /*vocabulary=*/40000, with_bias);
      c.targets = c.targets.narrow(0, 0, positions);
      const Tensor weights = with_bias ? at::rand({positions}) : Tensor();
      const auto loss_of = [&](const Tensor& hidden, const Tensor& weight) {
        return r_drop ? r_drop_cross_entropy(hidden, weight, c.bias, c.targets, 0.1, 2, weights)
                      : smoothed_cross_entropy(hidden, weight, c.bias, c.targets, 0.1, weights);
      };
      const Tensor low = c.hidden.detach().to(at::kBFloat16).requires_grad_();
      const Tensor wide = low.detach().to(at::kFloat).requires_grad_();
      const Tensor weight = c.weight.detach().to(at::kBFloat16).to(at::kFloat).requires_grad_();
      std::vector<Tensor> inputs{wide, weight};
      if (with_bias) inputs.push_back(c.bias);
      const LossSum expected = loss_of(wide, weight);
      const auto of_expected = torch::autograd::grad({expected.loss}, inputs);
      const RoundedProducts scope(true);
      for (const Tensor& hidden : {low, wide}) {
        const LossSum found = loss_of(hidden, weight);
        inputs[0] = hidden;
        const auto of_found = torch::autograd::grad({found.loss}, inputs);
        near(found.rows, expected.rows, 1e-5);
        near(found.nll, expected.nll, 1e-5);
        EXPECT_EQ(of_found[0].scalar_type(), hidden.scalar_type());
        EXPECT_EQ(of_found[1].scalar_type(), at::kFloat);
        for (size_t i = 0; i < of_found.size(); ++i) near(of_found[i], of_expected[i], 0.01);
      }
    }
  }
}

}  // namespace
}  // namespace heed::nn
