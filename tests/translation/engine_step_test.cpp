#include "heed_torch/translation/engine_step.h"

#include <gtest/gtest.h>

#include "engine/both_roads.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/translation/model_step.h"
#include "support/tiny_models.h"

namespace heed::translation {
namespace {

void expect_close(const at::Tensor& a, const at::Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_TRUE(at::allclose(a, b, 1e-5, 1e-5)) << (a - b).abs().max();
}

void expect_same(const search::StepScores& fast, const search::StepScores& plain) {
  expect_close(fast.logits, plain.logits);
  expect_close(fast.logsumexp, plain.logsumexp);
  if (plain.attention.defined()) expect_close(fast.attention, plain.attention);
}

TEST(EngineStep, StepsSelectsAndJoinsAsThePlainModelDoes) {
  const engine::BothRoads both(testing::tiny_transformer());
  const std::shared_ptr<const engine::Engine> shared(&*both.engine, [](const engine::Engine*) {});
  EngineStep fast(shared);
  ModelStep plain(both.model, at::kCPU);
  EXPECT_EQ(fast.vocab_size(), plain.vocab_size());
  const auto both_do = [&](const auto& what) {
    what(static_cast<search::StepModel&>(fast));
    what(static_cast<search::StepModel&>(plain));
  };
  const auto both_step = [&](const at::Tensor& tokens) { expect_same(fast.step(tokens), plain.step(tokens)); };
  both_do([](auto& step) { step.start(torch::tensor({{5, 6, 3}, {7, 3, 0}}, torch::kLong), 2, true); });
  both_step(torch::full({2, 2}, text::kBos, torch::kLong));
  both_step(torch::tensor({{9, 10}, {11, 12}}, torch::kLong));
  both_do([](auto& step) {
    step.select(torch::tensor({1}, torch::kLong), torch::tensor({{1, 0}}, torch::kLong));
    step.join(torch::tensor({{8, 9, 10, 3}}, torch::kLong));
  });
  // The plain road has one position for all, so that a sentence that joins begins a model of its own.
  EngineStep alone(shared);
  alone.start(torch::tensor({{8, 9, 10, 3}}, torch::kLong), 2, false);
  const auto joined = fast.step(torch::tensor({{13, 14}, {text::kBos, text::kBos}}, torch::kLong));
  expect_close(joined.logits.narrow(0, 1, 1), alone.step(torch::full({1, 2}, text::kBos, torch::kLong)).logits);
}

TEST(EngineStep, ALanguageModelLooksAtTheNumberOfSourcesOnly) {
  models::ArchitectureOptions options = testing::tiny_transformer();
  options.encoder.type = models::NoEncoderOptions{};
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 12};
  const engine::BothRoads both(options);
  EngineStep fast(std::shared_ptr<const engine::Engine>(&*both.engine, [](const engine::Engine*) {}));
  ModelStep plain(both.model, at::kCPU);
  EXPECT_EQ(fast.max_length(), 11);
  for (search::StepModel* step : {static_cast<search::StepModel*>(&fast), static_cast<search::StepModel*>(&plain)}) {
    step->start(torch::full({3, 1}, text::kEos, torch::kLong), 1, false);
  }
  const at::Tensor tokens = torch::tensor({{4}, {5}, {6}}, torch::kLong);
  expect_same(fast.step(tokens), plain.step(tokens));
}

}  // namespace
}  // namespace heed::translation
