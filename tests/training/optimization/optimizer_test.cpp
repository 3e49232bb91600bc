#include "heed_torch/training/optimization/optimizer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed_torch/nn/products/product.h"
#include "heed_torch/training/evaluation_weights.h"
#include "heed_torch/training/optimization/muon.h"

namespace heed::training {
namespace {

Tensor values(std::initializer_list<double> list) { return torch::tensor(std::vector<double>(list)).to(torch::kFloat); }

/// Two parameters, the first with hand-made gradients, whose loss is quadratic afterwards.
struct Problem {
  Tensor weight = values({1, -2, 0.5}).requires_grad_();
  Tensor bias = values({3}).requires_grad_();

  NamedParameters named() const { return {{"layer.weight", weight}, {"layer.bias", bias}}; }
  std::vector<Tensor> list() const { return {weight, bias}; }
  void gradient() {
    weight.mutable_grad() = values({0.5, -1, 2}) * weight.detach();
    bias.mutable_grad() = bias.detach() - 1;
  }
};

void run(Optimizer& optimizer, Problem& problem, int steps, double rate) {
  for (int i = 0; i < steps; ++i) {
    problem.gradient();
    optimizer.step(rate);
  }
}

using MakeReference = std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<Tensor>)>;

void expect_equal_steps(const OptimizerOptions& options, const MakeReference& make_reference, double rate) {
  Problem ours;
  Problem theirs;
  const auto optimizer = make_optimizer(options, ours.named());
  const auto reference = make_reference(theirs.list());
  for (int i = 0; i < 5; ++i) {
    run(*optimizer, ours, 1, rate);
    theirs.gradient();
    reference->step();
    EXPECT_TRUE(torch::allclose(ours.weight, theirs.weight, 1e-5, 1e-7)) << i << ours.weight << theirs.weight;
    EXPECT_TRUE(torch::allclose(ours.bias, theirs.bias, 1e-5, 1e-7)) << i;
  }
}

// m = 0.1 g, v = 0.02 g^2; both corrections undo that: the first step is rate * sign(g). The gradient of -2 is
// (-1)(-2).
TEST(Adam, FirstStepIsTheRate) {
  Problem problem;
  const auto optimizer = make_optimizer(AdamOptions{}, problem.named());
  run(*optimizer, problem, 1, 0.25);
  EXPECT_TRUE(torch::allclose(problem.weight, values({0.75, -2.25, 0.25}), 0, 1e-6)) << problem.weight;
  EXPECT_TRUE(torch::allclose(problem.bias, values({2.75}), 0, 1e-6));
}

TEST(Adam, EqualsTorch) {
  expect_equal_steps(
      AdamOptions{.weight_decay = 0.1},
      [](auto parameters) {
        return std::make_unique<torch::optim::Adam>(
            parameters, torch::optim::AdamOptions(0.01).betas({0.9, 0.98}).eps(1e-9).weight_decay(0.1));
      },
      0.01);
}

TEST(AdamW, EqualsTorch) {
  expect_equal_steps(
      AdamWOptions{.beta1 = 0.8, .weight_decay = 0.1},
      [](auto parameters) {
        return std::make_unique<torch::optim::AdamW>(
            parameters, torch::optim::AdamWOptions(0.01).betas({0.8, 0.98}).eps(1e-9).weight_decay(0.1));
      },
      0.01);
}

TEST(AdamW, DecaysWithoutGradient) {
  Problem problem;
  const auto optimizer = make_optimizer(AdamWOptions{.weight_decay = 0.5}, problem.named());
  problem.weight.mutable_grad() = torch::zeros(3);
  problem.bias.mutable_grad() = torch::zeros(1);
  optimizer->step(0.1);
  EXPECT_TRUE(torch::allclose(problem.weight, values({0.95, -1.9, 0.475}), 1e-6));
}

TEST(Sgd, FollowsTheGradient) {
  Problem problem;
  const auto optimizer = make_optimizer(SgdOptions{}, problem.named());
  run(*optimizer, problem, 1, 0.1);
  EXPECT_TRUE(torch::allclose(problem.weight, values({0.95, -2.2, 0.4}), 1e-6)) << problem.weight;
  EXPECT_TRUE(torch::allclose(problem.bias, values({2.8}), 1e-6));
}

TEST(Sgd, MomentumEqualsTorch) {
  for (const bool nesterov : {false, true}) {
    expect_equal_steps(
        SgdOptions{.momentum = 0.9, .nesterov = nesterov, .weight_decay = 0.01},
        [&](auto parameters) {
          return std::make_unique<torch::optim::SGD>(
              parameters, torch::optim::SGDOptions(0.05).momentum(0.9).nesterov(nesterov).weight_decay(0.01));
        },
        0.05);
  }
}

TEST(Sgd, NesterovWithoutMomentumIsRefused) {
  Problem problem;
  EXPECT_THROW(make_optimizer(SgdOptions{.nesterov = true}, problem.named()), ConfigError);
}

TEST(Adagrad, EqualsTorch) {
  expect_equal_steps(
      AdagradOptions{.initial_accumulator = 0.1, .weight_decay = 0.01},
      [](auto parameters) {
        return std::make_unique<torch::optim::Adagrad>(
            parameters, torch::optim::AdagradOptions(0.5).initial_accumulator_value(0.1).eps(1e-10).weight_decay(0.01));
      },
      0.5);
}

// s = (1 - rho) g^2; d = sqrt(epsilon / (s + epsilon)) g; for the bias g = 2: s = 0.2, d = 2 sqrt(1e-6 / 0.200001).
TEST(Adadelta, EqualsTheFormula) {
  Problem problem;
  const auto optimizer = make_optimizer(AdadeltaOptions{}, problem.named());
  run(*optimizer, problem, 1, 1);
  EXPECT_NEAR(problem.bias.item<double>(), 3 - 0.0044721248, 1e-6);
  // u = 0.05 d^2 = 1e-6 and g = 1.9955279: s = 0.95 * 0.2 + 0.05 g^2 = 0.3891066; d = sqrt(2e-6 / 0.3891076) g.
  run(*optimizer, problem, 1, 1);
  EXPECT_NEAR(problem.bias.item<double>(), 3 - 0.0044721248 - 0.0045241979, 2e-6);
}

TEST(Adadelta, DecaysTowardsZero) {
  Problem problem;
  const auto optimizer = make_optimizer(AdadeltaOptions{.weight_decay = 1}, problem.named());
  problem.weight.mutable_grad() = torch::zeros(3);
  problem.bias.mutable_grad() = torch::zeros(1);
  optimizer->step(1);
  EXPECT_LT(problem.bias.item<double>(), 3);
}

// y = x = z = 3, g = y - 1 = 2: the first step of z is rate * sign(g), and x is z: c = 1. Then g = 1.9,
// v = (0.98 * 0.02 * 4 + 0.02 * 1.9^2) / (1 - 0.98^2), z = 2.9 - 0.1 * 1.9 / sqrt(v), c = 1/2.
TEST(ScheduleFree, EqualsTheFormula) {
  Problem problem;
  const auto optimizer = make_optimizer(ScheduleFreeOptions{}, problem.named());
  EXPECT_TRUE(optimizer->has_average());
  run(*optimizer, problem, 1, 0.1);
  EXPECT_NEAR(problem.bias.item<double>(), 2.9, 1e-6);
  run(*optimizer, problem, 1, 0.1);
  const double v = (0.98 * 0.02 * 4 + 0.02 * 1.9 * 1.9) / (1 - 0.98 * 0.98);
  const double z = 2.9 - 0.1 * 1.9 / std::sqrt(v), x = (2.9 + z) / 2;
  EXPECT_NEAR(problem.bias.item<double>(), 0.1 * z + 0.9 * x, 1e-6);
  optimizer->copy_average_to_parameters();
  EXPECT_NEAR(problem.bias.item<double>(), x, 1e-6);
}

/// The formula, with tensor operations of float64. Returns x and y.
std::pair<Tensor, Tensor> schedule_free_reference(const Tensor& start, const std::vector<double>& rates,
                                                  const ScheduleFreeOptions& options) {
  Tensor x = start.to(at::kDouble), y = x, z = x, v = torch::zeros_like(x);
  double sum = 0;
  for (size_t t = 1; t <= rates.size(); ++t) {
    const double rate = rates[t - 1];
    const Tensor g = y - 1;
    v = options.beta2 * v + (1 - options.beta2) * g * g;
    const double correction = 1 - std::pow(options.beta2, static_cast<double>(t));
    z = z - rate * (g / ((v / correction).sqrt() + options.epsilon) + options.weight_decay * y);
    sum += rate * rate;
    x = (1 - rate * rate / sum) * x + rate * rate / sum * z;
    y = (1 - options.beta1) * z + options.beta1 * x;
  }
  return {x.to(at::kFloat), y.to(at::kFloat)};
}

TEST(ScheduleFree, WeighsItsAverageByTheRates) {
  const ScheduleFreeOptions options{.beta1 = 0.8, .beta2 = 0.9, .weight_decay = 0.1};
  const std::vector<double> rates{0.01, 0.02, 0.03, 0.03, 0};
  Problem problem;
  const auto [x, y] = schedule_free_reference(problem.bias.detach().clone(), rates, options);
  const auto optimizer = make_optimizer(options, problem.named());
  for (const double rate : rates) run(*optimizer, problem, 1, rate);
  EXPECT_TRUE(torch::allclose(problem.bias, y, 1e-5)) << problem.bias << y;
  optimizer->copy_average_to_parameters();
  EXPECT_TRUE(torch::allclose(problem.bias, x, 1e-5)) << problem.bias << x;
}

// b = 0 in the first step. g^2 = [[4, 16], [4, 16]]: r = [10, 10], c = [4, 16], v = g^2, so u is 1 everywhere, and its
// root mean square is not above the clip. The root mean square of [[1, 1], [1, 1]] is 1.
TEST(Adafactor, FirstStepIsTheRelativeRate) {
  const Tensor weight = torch::ones({2, 2}).requires_grad_();
  weight.mutable_grad() = torch::tensor({2.F, -4.F, 2.F, 4.F}).view({2, 2});
  make_optimizer(AdafactorOptions{}, {{"weight", weight}})->step(0.25);
  EXPECT_TRUE(torch::allclose(weight, torch::tensor({0.75F, 1.25F, 0.75F, 0.75F}).view({2, 2}), 1e-5)) << weight;
}

/// The formula, with tensor operations of float64.
Tensor adafactor_reference(const Tensor& start, const std::vector<Tensor>& gradients, double rate,
                           const AdafactorOptions& options) {
  const auto rms = [](const Tensor& x) { return std::sqrt((x * x).mean().item<double>()); };
  Tensor p = start.to(at::kDouble), v = torch::zeros_like(p), r, c;
  for (size_t t = 1; t <= gradients.size(); ++t) {
    const Tensor g = gradients[t - 1].to(at::kDouble), square = g * g + options.epsilon;
    const double b = 1 - std::pow(static_cast<double>(t), -options.decay);
    if (p.dim() == 2) {
      r = t == 1 ? square.mean(1) : b * r + (1 - b) * square.mean(1);
      c = t == 1 ? square.mean(0) : b * c + (1 - b) * square.mean(0);
      v = at::outer(r, c) / r.mean();
    } else {
      v = b * v + (1 - b) * square;
    }
    Tensor u = g / v.sqrt();
    u = u / std::max(1.0, rms(u) / options.clip);
    p = p - rate * (std::max(options.minimum_scale, rms(p)) * u + options.weight_decay * p);
  }
  return p.to(at::kFloat);
}

TEST(Adafactor, EqualsTheFormula) {
  torch::manual_seed(6);
  const AdafactorOptions options{.clip = 0.8, .weight_decay = 0.1};
  for (const auto& [scale, shape] :
       std::vector<std::pair<double, std::vector<int64_t>>>{{1, {5, 8}}, {1, {7}}, {1e-6, {5, 8}}, {1, {2, 3, 4}}}) {
    const Tensor parameter = (scale * torch::randn(shape)).requires_grad_();
    std::vector<Tensor> gradients;
    for (int i = 0; i < 4; ++i) gradients.push_back(torch::randn(shape));
    const Tensor expected = adafactor_reference(parameter.detach().clone(), gradients, 0.1, options);
    const auto optimizer = make_optimizer(options, {{"parameter", parameter}});
    for (const Tensor& gradient : gradients) {
      parameter.mutable_grad() = gradient;
      optimizer->step(0.1);
    }
    EXPECT_TRUE(torch::allclose(parameter, expected, 1e-4, 1e-6 * scale)) << parameter << expected;
  }
}

TEST(Adafactor, RemembersRowsAndColumnsOfMatrices) {
  const Tensor matrix = torch::ones({2, 3}).requires_grad_(), vector = torch::ones({4}).requires_grad_();
  std::map<std::string, int64_t> sizes;
  for (const auto& [name, tensor] : make_optimizer(AdafactorOptions{}, {{"a", matrix}, {"b", vector}})->state()) {
    sizes[name] = tensor.numel();
  }
  EXPECT_EQ(sizes, (std::map<std::string, int64_t>{{"column/a", 3}, {"row/a", 2}, {"square/b", 4}, {"step", 1}}));
}

/// Of one matrix.
Tensor orthogonal_matrix(const Tensor& u) { return orthogonal(u.unsqueeze(0)).squeeze(0); }

TEST(Muon, TheStepIsOrthogonal) {
  torch::manual_seed(3);
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{5, 7}, {4, 9}, {11, 3}}) {
    const Tensor u = torch::randn({rows, columns});
    const Tensor made = orthogonal_matrix(u);
    EXPECT_EQ(made.sizes(), u.sizes());
    const auto [left, values, right] = at::linalg_svd(u, /*full_matrices=*/false);
    const Tensor singular = at::linalg_svdvals(made);
    EXPECT_GT(singular.min().item<double>(), 0.6);
    EXPECT_LT(singular.max().item<double>(), 1.25);
    // Its singular vectors are those of u: L^T made R is diagonal.
    const Tensor core = at::matmul(at::matmul(left.t(), made), right.t());
    EXPECT_TRUE(torch::allclose(core, at::diag(core.diag()), 0, 1e-4)) << core;
    EXPECT_GT(core.diag().min().item<double>(), 0.6);
  }
  EXPECT_TRUE(torch::equal(orthogonal_matrix(torch::zeros({2, 3})), torch::zeros({2, 3})));
}

TEST(Muon, TheStepIsOrthogonalInBfloat16) {
  torch::manual_seed(3);
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{32, 96}, {48, 16}}) {
    const Tensor u = torch::randn({rows, columns}), exact = orthogonal_matrix(u);
    const nn::RoundedProducts rounded(true);
    const Tensor made = orthogonal_matrix(u);
    EXPECT_EQ(made.scalar_type(), at::kFloat);
    EXPECT_FALSE(torch::equal(made, exact)) << "nothing is rounded";
    EXPECT_LT((made - exact).norm().item<double>(), 0.06 * exact.norm().item<double>());
    const Tensor singular = at::linalg_svdvals(made);
    EXPECT_GT(singular.min().item<double>(), 0.6);
    EXPECT_LT(singular.max().item<double>(), 1.25);
  }
}

TEST(Muon, MatricesOfABatchAreIndependent) {
  torch::manual_seed(3);
  for (const auto& shape : std::vector<std::vector<int64_t>>{{3, 5, 8}, {3, 9, 4}}) {
    const Tensor u = torch::randn(shape), together = orthogonal(u);
    for (int64_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::equal(together[i], orthogonal_matrix(u[i])));
  }
}

TEST(Muon, ThreadsOfTheStepRoundAsTheScopeSays) {
  const Tensor gradient = torch::randn({16, 24});
  const auto stepped = [&](bool rounds, int threads) {
    const Tensor first = torch::zeros({16, 24}).requires_grad_(), second = torch::zeros({16, 24}).requires_grad_();
    first.mutable_grad() = gradient.clone();
    second.mutable_grad() = gradient.clone();
    const auto optimizer = make_optimizer(MuonOptions{}, {{"first.weight", first}, {"second.weight", second}});
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    const nn::RoundedProducts rounded(rounds);
    optimizer->step(0.1);
    at::set_num_threads(before);
    return at::stack({first.detach(), second.detach()});
  };
  EXPECT_FALSE(torch::equal(stepped(true, 1), stepped(false, 1)));
  EXPECT_TRUE(torch::equal(stepped(true, 2), stepped(true, 1)));
}

/// The formula, with tensor operations of float64.
Tensor muon_reference(Tensor weight, const std::vector<Tensor>& gradients, double rate, const MuonOptions& options) {
  weight = weight.to(at::kDouble);
  Tensor momentum = torch::zeros_like(weight);
  for (const Tensor& single : gradients) {
    const Tensor g = single.to(at::kDouble);
    momentum = options.momentum * momentum + g;
    Tensor x = options.nesterov ? g + options.momentum * momentum : momentum;
    x = x / x.norm();
    for (int i = 0; i < 5; ++i) {
      const Tensor a = x.matmul(x.t());
      x = 3.4445 * x + (-4.775 * a + 2.0315 * a.matmul(a)).matmul(x);
    }
    const auto longest = static_cast<double>(std::max(weight.size(0), weight.size(1)));
    weight = weight - rate * (0.2 * std::sqrt(longest) * x + options.weight_decay * weight);
  }
  return weight.to(at::kFloat);
}

TEST(Muon, EqualsTheFormula) {
  torch::manual_seed(4);
  for (const bool nesterov : {true, false}) {
    for (const auto& shape : std::vector<std::vector<int64_t>>{{5, 8}, {9, 4}}) {
      const MuonOptions options{.nesterov = nesterov};
      const Tensor weight = torch::randn(shape).requires_grad_();
      const std::vector<Tensor> gradients{torch::randn(shape), torch::randn(shape), torch::randn(shape)};
      const Tensor expected = muon_reference(weight.detach().clone(), gradients, 0.1, options);
      const auto optimizer = make_optimizer(options, {{"layer.weight", weight}});
      for (const Tensor& gradient : gradients) {
        weight.mutable_grad() = gradient.clone();
        optimizer->step(0.1);
      }
      EXPECT_TRUE(torch::allclose(weight, expected, 1e-3, 1e-4)) << weight << expected;
    }
  }
}

TEST(Muon, GivesEmbeddingsTheOutputLayerAndVectorsTheStepOfAdamW) {
  torch::manual_seed(5);
  for (const auto& [name, shape] :
       std::vector<std::pair<std::string, std::vector<int64_t>>>{{"decoder.embedding.weight", {6, 4}},
                                                                 {"output.weight", {6, 4}},
                                                                 {"encoder.positions.weight", {6, 4}},
                                                                 {"encoder.layers.0.norm.weight", {6}},
                                                                 {"decoder.score.vector", {1, 6}}}) {
    const Tensor start = torch::randn(shape), gradient = torch::randn(shape);
    std::vector<Tensor> results;
    for (const OptimizerOptions& options :
         {OptimizerOptions{MuonOptions{}}, OptimizerOptions{AdamWOptions{.weight_decay = 0.1}}}) {
      const Tensor parameter = start.clone().requires_grad_();
      parameter.mutable_grad() = gradient.clone();
      make_optimizer(options, {{name, parameter}})->step(0.1);
      results.push_back(parameter.detach());
    }
    EXPECT_TRUE(torch::equal(results[0], results[1])) << name;
  }
}

TEST(Optimizer, GoesOnBitForBitFromItsState) {
  const std::vector<OptimizerOptions> all{AdamOptions{},         AdamWOptions{},    SgdOptions{.momentum = 0.9},
                                          AdagradOptions{},      AdadeltaOptions{}, MuonOptions{},
                                          ScheduleFreeOptions{}, AdafactorOptions{}};
  for (const OptimizerOptions& options : all) {
    Problem whole;
    const auto uninterrupted = make_optimizer(options, whole.named());
    run(*uninterrupted, whole, 3, 0.1);

    Problem resumed{.weight = whole.weight.detach().clone().requires_grad_(),
                    .bias = whole.bias.detach().clone().requires_grad_()};
    std::map<std::string, Tensor> saved;
    for (const auto& [name, tensor] : uninterrupted->state()) saved[name] = tensor.clone();
    const auto successor = make_optimizer(options, resumed.named());
    {
      const EvaluationWeights evaluation(*uninterrupted, whole.named());
      const torch::NoGradGuard no_grad;
      resumed.weight.copy_(whole.weight);
      resumed.bias.copy_(whole.bias);
      successor->load(saved, "checkpoint");
    }
    {
      const torch::NoGradGuard no_grad;
      resumed.weight.copy_(whole.weight);
      resumed.bias.copy_(whole.bias);
    }

    run(*uninterrupted, whole, 3, 0.1);
    run(*successor, resumed, 3, 0.1);
    EXPECT_TRUE(torch::equal(whole.weight, resumed.weight)) << options.index();
    EXPECT_TRUE(torch::equal(whole.bias, resumed.bias)) << options.index();
  }
}

// b = 3, 2.8, 2.62, and the decays are min(0.2, 2/11) and min(0.2, 3/12).
TEST(MovingAverage, EqualsTheFormula) {
  Problem problem;
  const auto optimizer = make_optimizer(SgdOptions{}, problem.named(), 0.2);
  run(*optimizer, problem, 2, 0.1);
  EXPECT_NEAR(problem.bias.item<double>(), 2.62, 1e-6) << "the average does not change the steps";
  optimizer->copy_average_to_parameters();
  EXPECT_NEAR(problem.bias.item<double>(), 0.2 * (2.0 / 11 * 3 + 9.0 / 11 * 2.8) + 0.8 * 2.62, 1e-6);
}

TEST(MovingAverage, IsOnlyKeptIfAskedFor) {
  Problem problem;
  const auto optimizer = make_optimizer(SgdOptions{}, problem.named());
  EXPECT_FALSE(optimizer->has_average());
  run(*optimizer, problem, 1, 0.1);
  optimizer->copy_average_to_parameters();
  EXPECT_NEAR(problem.bias.item<double>(), 2.8, 1e-6);
}

TEST(Optimizer, NamesItsState) {
  Problem problem;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : make_optimizer(AdamOptions{}, problem.named())->state()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"mean/layer.bias", "mean/layer.weight", "square/layer.bias",
                                             "square/layer.weight", "step"}));
}

TEST(Optimizer, RefusesAnotherOptimizersState) {
  Problem problem;
  const auto adam = make_optimizer(AdamOptions{}, problem.named());
  const auto sgd = make_optimizer(SgdOptions{}, problem.named());
  try {
    adam->load(sgd->state(), "run/checkpoints/0000100");
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_STREQ(error.what(), "run/checkpoints/0000100: has no tensor `mean/layer.bias` of this optimizer");
  }
}

/// Three steps of parameters, of which one is large enough for several threads, on `threads` threads.
std::vector<Tensor> stepped(const OptimizerOptions& options, int threads) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  torch::manual_seed(3);
  NamedParameters parameters;
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{311, 337}, {5}, {180, 190}, {1}, {7, 9}}) {
    parameters.emplace_back(std::to_string(parameters.size()) + ".weight", torch::randn(shape).requires_grad_());
  }
  const auto optimizer = make_optimizer(options, parameters);
  std::vector<Tensor> results;
  for (int step = 0; step < 3; ++step) {
    for (auto& [name, parameter] : parameters) parameter.mutable_grad() = torch::randn(parameter.sizes());
    optimizer->step(0.01);
  }
  for (const auto& [name, parameter] : parameters) results.push_back(parameter.detach());
  at::set_num_threads(before);
  return results;
}

TEST(Optimizer, ComputesTheSameBitsOnAnyNumberOfThreads) {
  for (const OptimizerOptions& options :
       {OptimizerOptions{AdamOptions{.weight_decay = 0.1}}, OptimizerOptions{AdamWOptions{}},
        OptimizerOptions{SgdOptions{.momentum = 0.9}}, OptimizerOptions{SgdOptions{}},
        OptimizerOptions{AdagradOptions{}}, OptimizerOptions{AdadeltaOptions{}}, OptimizerOptions{MuonOptions{}},
        OptimizerOptions{ScheduleFreeOptions{.weight_decay = 0.1}}, OptimizerOptions{AdafactorOptions{}}}) {
    const std::vector<Tensor> one = stepped(options, 1), four = stepped(options, 4);
    for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], four[i])) << options.index() << ", " << i;
  }
}

}  // namespace
}  // namespace heed::training
