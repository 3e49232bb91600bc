#include "heed_torch/training/optimization/sharded_optimizer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed_torch/training/evaluation_weights.h"
#include "support/message_of.h"
#include "support/rank_threads.h"

namespace heed::training {
namespace {

/// Parameters of several chunks and buckets of the layout, with a gap behind the second.
NamedParameters parameters_of(uint64_t seed) {
  torch::Generator generator = at::detail::createCPUGenerator(seed);
  const auto make = [&](at::IntArrayRef shape) {
    return torch::randn(shape, generator, torch::kFloat).requires_grad_();
  };
  return {{"large", make({1'100, 4'000})},
          {"small", make({37})},
          {"matrix", make({300, 200})},
          {"layer.weight", make({40, 70})}};
}

void give_gradients(const NamedParameters& parameters, int step) {
  torch::Generator generator = at::detail::createCPUGenerator(static_cast<uint64_t>(100 + step));
  for (const auto& [name, parameter] : parameters) {
    parameter.mutable_grad() = torch::randn(parameter.sizes(), generator, torch::kFloat);
  }
}

void train(Optimizer& optimizer, const NamedParameters& parameters, int begin, int end) {
  for (int step = begin; step < end; ++step) {
    give_gradients(parameters, step);
    optimizer.step(0.1);
  }
}

NamedParameters copied(const NamedParameters& parameters) {
  NamedParameters copies;
  for (const auto& [name, tensor] : parameters) copies.emplace_back(name, tensor.detach().clone().requires_grad_());
  return copies;
}

bool equal(const NamedParameters& some, const NamedParameters& others) {
  for (size_t i = 0; i < some.size(); ++i) {
    if (!torch::equal(some[i].second, others[i].second)) return false;
  }
  return true;
}

const std::vector<OptimizerOptions> kAll{AdamOptions{.weight_decay = 0.1},
                                         AdamWOptions{},
                                         SgdOptions{.momentum = 0.9},
                                         AdagradOptions{},
                                         AdadeltaOptions{},
                                         MuonOptions{},
                                         ScheduleFreeOptions{},
                                         AdafactorOptions{}};

TEST(ShardedOptimizer, MakesTheStepsOfAWholeOne) {
  for (const OptimizerOptions& options : kAll) {
    const NamedParameters whole = parameters_of(1);
    const auto optimizer = make_optimizer(options, whole);
    train(*optimizer, whole, 0, 3);
    const auto state = optimizer->state();
    testing::on_ranks(3, [&](const auto& ranks) {
      const NamedParameters own = parameters_of(1);
      ShardedOptimizer sharded(options, own, ranks);
      train(sharded, own, 0, 3);
      EXPECT_TRUE(equal(own, whole)) << options.index();
      const auto collected = sharded.state();
      EXPECT_EQ(collected.size(), ranks->leads() ? state.size() : 0U);
      if (!ranks->leads()) return;
      for (const auto& [name, tensor] : state) EXPECT_TRUE(torch::equal(collected.at(name), tensor)) << name;
    });
  }
}

TEST(ShardedOptimizer, SharesTheAverageOfTheWeights) {
  for (const auto& [options, ema_decay] : std::vector<std::pair<OptimizerOptions, double>>{
           {AdamOptions{}, 0.5}, {MuonOptions{}, 0.5}, {ScheduleFreeOptions{}, 0}}) {
    const NamedParameters whole = parameters_of(1);
    const auto optimizer = make_optimizer(options, whole, ema_decay);
    train(*optimizer, whole, 0, 3);
    optimizer->copy_average_to_parameters();
    testing::on_ranks(3, [&, options = options, ema_decay = ema_decay](const auto& ranks) {
      const NamedParameters own = parameters_of(1);
      ShardedOptimizer sharded(options, own, ranks, ema_decay);
      train(sharded, own, 0, 3);
      EXPECT_TRUE(sharded.has_average());
      EXPECT_FALSE(equal(own, whole));
      sharded.copy_average_to_parameters();
      EXPECT_TRUE(equal(own, whole));
    });
  }
}

TEST(ShardedOptimizer, GoesOnFromTheStateOfAnyNumberOfRanks) {
  for (const OptimizerOptions& options : kAll) {
    const NamedParameters whole = parameters_of(2);
    const auto optimizer = make_optimizer(options, whole);
    train(*optimizer, whole, 0, 4);
    std::map<std::string, Tensor> saved;
    NamedParameters middle, averages;
    testing::on_ranks(2, [&](const auto& ranks) {
      const NamedParameters own = parameters_of(2);
      ShardedOptimizer sharded(options, own, ranks);
      train(sharded, own, 0, 2);
      const auto state = sharded.state();
      if (ranks->leads()) middle = copied(own);
      const EvaluationWeights evaluation(sharded, own);
      if (!ranks->leads()) return;
      averages = copied(own);
      for (const auto& [name, tensor] : state) saved[name] = tensor.clone();
    });
    testing::on_ranks(3, [&](const auto& ranks) {
      const NamedParameters own = copied(averages);
      ShardedOptimizer sharded(options, own, ranks);
      sharded.load(saved, "checkpoint");
      const torch::NoGradGuard no_grad;
      for (size_t i = 0; i < own.size(); ++i) own[i].second.copy_(middle[i].second);
      train(sharded, own, 2, 4);
      EXPECT_TRUE(equal(own, whole)) << options.index();
    });
  }
}

TEST(ShardedOptimizer, WorksWhereSomeRanksOwnNothing) {
  const NamedParameters whole{{"few", torch::ones({5}).requires_grad_()}};
  const auto optimizer = make_optimizer(AdamOptions{}, whole);
  train(*optimizer, whole, 0, 2);
  testing::on_ranks(3, [&](const auto& ranks) {
    const NamedParameters own{{"few", torch::ones({5}).requires_grad_()}};
    ShardedOptimizer sharded(AdamOptions{}, own, ranks);
    train(sharded, own, 0, 2);
    EXPECT_TRUE(equal(own, whole));
    const auto state = sharded.state();
    if (!ranks->leads()) return;
    EXPECT_TRUE(torch::equal(state.at("mean/few"), optimizer->state().at("mean/few")));
  });
}

TEST(ShardedOptimizer, SendsTheParametersOnce) {
  testing::on_ranks(2, [&](const auto& ranks) {
    const NamedParameters own = parameters_of(3);
    ShardedOptimizer sharded(AdamOptions{}, own, ranks);
    train(sharded, own, 0, 1);
    const FlatLayout layout({own[0].second, own[1].second, own[2].second, own[3].second});
    EXPECT_NEAR(static_cast<double>(sharded.shared_work().bytes_sent), static_cast<double>(layout.size()) * 4 / 2,
                2.0 * 4 * kNormChunk);
  });
}

TEST(ShardedOptimizer, CountsTheTimeThatItWaits) {
  testing::on_ranks(2, [](const auto& ranks) {
    const NamedParameters own = parameters_of(2);
    ShardedOptimizer sharded(SgdOptions{}, own, ranks);
    EXPECT_EQ(sharded.shared_work().seconds_waited, 0);
    train(sharded, own, 0, 1);
    EXPECT_GT(sharded.shared_work().seconds_waited, 0);
  });
}

TEST(ShardedOptimizer, RefusesAnotherState) {
  const NamedParameters whole = parameters_of(4);
  std::map<std::string, Tensor> adam = make_optimizer(AdamOptions{}, whole)->state();
  testing::on_ranks(2, [&](const auto& ranks) {
    const NamedParameters own = parameters_of(4);
    ShardedOptimizer sharded(AdamOptions{}, own, ranks);
    auto other = adam;
    other.erase("mean/small");
    EXPECT_EQ(heed::testing::message_of<CheckpointError>([&] { sharded.load(other, "run/1"); }),
              "run/1: has no tensor `mean/small` of this optimizer");
    other = adam;
    other["square/matrix"] = torch::zeros({200, 300});
    EXPECT_EQ(heed::testing::message_of<CheckpointError>([&] { sharded.load(other, "run/1"); }),
              "run/1: tensor `square/matrix` must have shape [300, 200], but has [200, 300]");
  });
}

}  // namespace
}  // namespace heed::training
