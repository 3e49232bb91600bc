// What is frozen keeps its bytes, and LoRA's steps end in an ordinary model; interrupted or not, by any replicas.
#include <gtest/gtest.h>

#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/training/checkpoint_store.h"
#include "heed_torch/training/parameter_patterns.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "training/recorded_training.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

using checkpoint::NamedTensors;
using heed::testing::ToyTask;

class FineTuning : public ::testing::Test {
 protected:
  TrainerSetup setup() const {
    TrainerSetup made = task.setup();
    made.train.max_steps = 13;
    made.valid.every = {4};
    made.log.every = {1};
    return made;
  }
  TrainerSetup with_lora(const nn::LoraOptions& lora = {.rank = 2, .dropout = 0.1}) const {
    TrainerSetup made = setup();
    made.train.adapter = lora;
    auto model = std::make_shared<models::Model>(made.model->options(), made.model->sizes());
    nn::add_lora(*model, lora);
    nn::initialize(*model, model->options().initialization, 7);  // as the toy's model
    nn::keep_lora_bases(*model);
    made.model = model;
    return made;
  }
  NamedTensors published(const std::string& name) const {
    return checkpoint::read_tensors(task.model_directory(name) + "/model.safetensors").tensors;
  }

  const ToyTask task;
};

TEST_F(FineTuning, WhatIsFrozenKeepsItsBytes) {
  TrainerSetup made = setup();
  freeze_parameters(*made.model, {"encoder", "decoder.embedding"});
  const NamedTensors before = checkpoint::named_tensors(*task.setup().model);
  const Trained run = train(made, task.model_directory("run"));
  for (const auto& [name, tensor] : published("run")) {
    const bool frozen = name.starts_with("encoder.") || name == "decoder.embedding.weight";
    EXPECT_EQ(torch::equal(tensor, before.at(name)), frozen) << name;
  }
  const StartReport& start = run.recorder.starts[0];
  int64_t all = 0;
  for (const auto& item : made.model->parameters()) all += item.numel();
  EXPECT_EQ(start.parameters + start.frozen_parameters, all);
  EXPECT_GT(start.frozen_parameters, all / 3);
}

TEST_F(FineTuning, FirstLossWithLoraIsThatOfTheModelItBeginsWith) {
  const Trained plain = train(setup(), task.model_directory("plain"));
  const Trained lora = train(with_lora({.rank = 2}), task.model_directory("lora"));
  EXPECT_EQ(lora.recorder.trainings[0].loss, plain.recorder.trainings[0].loss) << "to the bit";
  EXPECT_NE(lora.recorder.trainings[3].loss, plain.recorder.trainings[3].loss);
}

TEST_F(FineTuning, ALoraModelIsAnOrdinaryOneWithTheSameScores) {
  const TrainerSetup made = with_lora();
  const Trained run = train(made, task.model_directory("run"));
  const NamedTensors before = checkpoint::named_tensors(*task.setup().model), after = published("run");
  for (const auto& [name, tensor] : after) {
    const bool adapted =
        name.ends_with(".weight") &&
        (name.find("attention") != std::string::npos || name.find("feed_forward") != std::string::npos) &&
        name.find("norm") == std::string::npos;
    EXPECT_EQ(torch::equal(tensor, before.at(name)), !adapted) << name;
  }
  const TrainerSetup scored = setup();
  checkpoint::load_into(*scored.model, after, "model.safetensors");
  const auto validator = make_validator(scored);
  EXPECT_EQ(validator->validate({}).scores.at("loss"), run.outcome.final->candidates[0].scores.at("loss"))
      << "what validation scored is what is published, to the bit";
  EXPECT_FALSE(nn::lora_of(*made.model)) << "at the end";
}

TEST_F(FineTuning, WithLoraIsBitExactWhenItGoesOn) {
  train(with_lora(), task.model_directory("whole"));
  EXPECT_FALSE(train(with_lora(), task.model_directory("parts"), 5).outcome.finished);
  const Trained second = train(with_lora(), task.model_directory("parts"));
  EXPECT_TRUE(second.recorder.starts[0].resumed);
  expect_same_end(task.model_directory("whole"), task.model_directory("parts"), 13);
  expect_equal(published("whole"), published("parts"));
}

TEST_F(FineTuning, TheAdapterIsTheModelsAndNotTheOptimizers) {
  const std::string directory = task.model_directory("run");
  train(with_lora(), directory);
  const TrainerSetup made = with_lora();
  const auto optimizer = make_optimizer(made.train.optimizer, trainable_parameters(*made.model));
  checkpoint::RunDirectory run(directory);
  const auto resumed =
      CheckpointStore(made.ranks, &run, *made.model, *optimizer, made.train, made.valid.metric).resume();
  ASSERT_TRUE(resumed);
  for (const auto& entry : resumed->optimizer) EXPECT_FALSE(entry.first.starts_with("adapter/")) << entry.first;
  const NamedTensors tensors = checkpoint::named_tensors(*made.model);
  const NamedTensors saved = run.load_latest_checkpoint()->optimizer;
  size_t adapters = 0;
  for (const auto& [name, tensor] : saved) {
    if (!name.starts_with("adapter/")) continue;
    EXPECT_TRUE(torch::equal(tensors.at(name.substr(8)), tensor)) << name;
    ++adapters;
  }
  EXPECT_GT(adapters, 0U);
  EXPECT_EQ(resumed->optimizer.size() + adapters, saved.size());
}

TEST_F(FineTuning, DoesNotDependOnWhoComputesTheParts) {
  for (const bool lora : {true, false}) {
    const std::string name = lora ? "lora" : "frozen";
    const auto make = [&](int64_t replicas) {
      TrainerSetup made = lora ? with_lora() : setup();
      if (!lora) freeze_parameters(*made.model, {"decoder"});
      made.stream.micro_batches = 2 / replicas;
      made.train.replicas = replicas;
      made.threads = replicas;
      return made;
    };
    train(make(1), task.model_directory(name + "1"));
    train(make(2), task.model_directory(name + "2"));
    expect_same_end(task.model_directory(name + "1"), task.model_directory(name + "2"), 13);
  }
}

TEST_F(FineTuning, TheAverageOfLoraCheckpointsIsOfMergedModels) {
  TrainerSetup made = with_lora();
  made.train.average = AverageOfLast{.count = 2};
  const Trained run = train(made, task.model_directory("run"));
  ASSERT_EQ(run.outcome.final->candidates.size(), 2u);
  EXPECT_EQ(run.outcome.final->candidates[1].name, "averaged");
  EXPECT_EQ(published("run").size(), checkpoint::named_tensors(*task.setup().model).size());
}

}  // namespace
}  // namespace heed::training
