// A training on the fake device, and one that goes over from one device to another.
#include <gtest/gtest.h>

#include "device/networks.h"
#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/training/step/recurrent_states.h"
#include "training/recorded_training.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

using heed::testing::compared_device;
using heed::testing::first_device;
using heed::testing::largest_difference;
using heed::testing::ToyTask;

class DeviceTraining : public ::testing::Test {
 protected:
  TrainerSetup setup_on(at::Device device, const OptimizerOptions& optimizer = AdamOptions{.epsilon = 1e-4}) const {
    models::ArchitectureOptions architecture = heed::testing::tiny_transformer();  // draws nothing
    TrainerSetup setup = task.setup();
    setup.model = models::build_model(architecture, setup.model->sizes(), 7);
    setup.model->to(device);
    setup.device = device;
    setup.train.optimizer = optimizer;
    setup.train.max_steps = 8;
    setup.train.average = AverageOfLast{.count = 2};
    setup.valid.every = {4};
    setup.valid.translate = TranslateValidText{.beam = 2};
    setup.log.every = {1};
    return setup;
  }

  checkpoint::NamedTensors trained(const std::string& name) const {
    return checkpoint::read_tensors(task.model_directory(name) + "/model.safetensors").tensors;
  }

  /// Four steps on one device, four on another.
  Trained train_half_half(at::Device first, at::Device second, const std::string& name,
                          const OptimizerOptions& optimizer = AdamOptions{.epsilon = 1e-4}) const {
    EXPECT_FALSE(train(setup_on(first, optimizer), task.model_directory(name), 4).outcome.finished);
    return train(setup_on(second, optimizer), task.model_directory(name));
  }

  const ToyTask task{heed::testing::reversed, 400};
};

void expect_without_a_word(const Trained& run) {
  EXPECT_TRUE(run.outcome.finished);
  EXPECT_TRUE(run.recorder.starts.at(0).resumed);
  EXPECT_TRUE(run.recorder.warnings.empty()) << run.recorder.warnings.front();
  EXPECT_TRUE(run.recorder.changes.empty());
}

TEST_F(DeviceTraining, GivesTheModelOfTheCpu) {
  const Trained on_cpu = train(setup_on(at::kCPU), task.model_directory("cpu"));
  const Trained on_fake = train(setup_on(compared_device()), task.model_directory("fake"));
  ASSERT_EQ(on_fake.recorder.validations.size(), on_cpu.recorder.validations.size());
  for (size_t i = 0; i < on_cpu.recorder.validations.size(); ++i) {
    for (const auto& [metric, score] : on_cpu.recorder.validations[i].scores) {
      EXPECT_NEAR(on_fake.recorder.validations[i].scores.at(metric), score, 1e-3) << metric;
    }
  }
  const auto difference = largest_difference(trained("fake"), trained("cpu"));
  EXPECT_LT(difference.value, 1e-3) << difference.name;
}

TEST_F(DeviceTraining, GoesOnFromTheCpuAndBack) {
  train(setup_on(at::kCPU), task.model_directory("whole"));
  expect_without_a_word(train_half_half(at::kCPU, compared_device(), "to device"));
  expect_without_a_word(train_half_half(compared_device(), at::kCPU, "to CPU"));
  expect_without_a_word(train_half_half(first_device(), compared_device(), "to other"));
  for (const char* name : {"to device", "to CPU", "to other"}) {
    const auto difference = largest_difference(trained(name), trained("whole"));
    EXPECT_LT(difference.value, 1e-3) << name << ", " << difference.name;
  }
}

TEST_F(DeviceTraining, GoesOnWithEveryOptimizer) {
  const std::vector<OptimizerOptions> optimizers{AdamWOptions{.epsilon = 1e-4}, SgdOptions{.momentum = 0.9},
                                                 AdagradOptions{.epsilon = 0.1}, AdadeltaOptions{}};
  for (const OptimizerOptions& optimizer : optimizers) {
    const std::string name = heed::testing::name_of(optimizer);
    SCOPED_TRACE(name);
    train(setup_on(at::kCPU, optimizer), task.model_directory(name));
    expect_without_a_word(train_half_half(at::kCPU, compared_device(), name + " half", optimizer));
    const auto difference = largest_difference(trained(name + " half"), trained(name));
    EXPECT_LT(difference.value, 1e-3) << difference.name;
  }
}

TEST(DeviceStates, AreCarriedFromOneDeviceToAnother) {
  const at::Tensor hidden = torch::rand({3, 4});
  RecurrentStates there(3), back(3);
  there.load({{"0/hidden", hidden}}, compared_device(), "the checkpoint");
  EXPECT_EQ(there.tensors().at("0/hidden").device(), compared_device());
  back.load(there.tensors(), at::kCPU, "the checkpoint");
  EXPECT_TRUE(at::equal(back.tensors().at("0/hidden"), hidden));
}

TEST_F(DeviceTraining, IsBitExactWhenInterruptedWithDropout) {
  const auto setup = [&] {
    TrainerSetup made = setup_on(compared_device());
    made.model = models::build_model(heed::testing::with_dropout(heed::testing::tiny_transformer()),
                                     task.setup().model->sizes(), 7);
    made.model->to(compared_device());
    return made;
  };
  train(setup(), task.model_directory("whole"));
  train(setup(), task.model_directory("parts"), 5);
  train(setup(), task.model_directory("parts"));
  expect_same_end(task.model_directory("whole"), task.model_directory("parts"), 8);
}

}  // namespace
}  // namespace heed::training
