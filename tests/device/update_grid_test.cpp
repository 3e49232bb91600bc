// Steps of every family of networks on the fake device and on the CPU.
#include <gtest/gtest.h>

#include "device/networks.h"

namespace heed::testing {
namespace {

using training::Precision;

/// A step in fp16 at the scale that a training comes to: gradients that grow beyond 65504 lower it.
UpdatedModel update_in_float16(const models::ArchitectureOptions& options, UpdateSettings settings) {
  settings.precision = Precision::Fp16;
  for (settings.loss_scale = 1024; settings.loss_scale >= 1; settings.loss_scale /= 8) {
    UpdatedModel made = update_model(options, compared_device(), settings);
    if (made.finite) return made;
  }
  ADD_FAILURE() << "not finite at any scale";
  return {};
}

TEST(UpdateGrid, Float32AgreesWithTheCpu) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    if (draws_others(options, compared_device())) continue;
    expect_near(update_model(options, compared_device()), update_model(options, at::kCPU), 1e-4);
  }
}

TEST(UpdateGrid, WeightsOfSentencesAgreeWithTheCpu) {
  data::StepBatch step = random_update(/*has_source=*/true, /*parts=*/2);
  for (data::MicroBatch& part : step.micro_batches) part.weights = {0.5, 0, 2};
  const auto on = [&](at::Device device) {
    const auto model = make_model(tiny_transformer(), device);
    model->train();
    return update_model(model, step, device, {.steps = 1});
  };
  expect_near(on(compared_device()), on(at::kCPU), 1e-4);
}

void expect_near_loss(const UpdatedModel& found, const models::ArchitectureOptions& options, double tolerance) {
  EXPECT_TRUE(found.finite);
  if (draws_others(options, compared_device())) return;
  const UpdatedModel expected = update_model(options, at::kCPU, {.steps = 1});
  EXPECT_NEAR(found.loss, expected.loss, tolerance * std::max(1.0, expected.loss));
}

TEST(UpdateGrid, Bfloat16IsNearFloat32) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    const UpdateSettings settings{.precision = Precision::Bf16, .steps = 1};
    expect_near_loss(update_model(options, compared_device(), settings), options, 0.03);
  }
}

TEST(UpdateGrid, Float16IsNearFloat32) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    expect_near_loss(update_in_float16(options, {.steps = 1}), options, 0.01);
  }
}

TEST(UpdateGrid, DropoutDrawsOnTheDevice) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(update_model(with_dropout(options), compared_device(), {.steps = 1}).finite);
  }
}

TEST(UpdateGrid, RDropRunsInEveryPrecision) {
  const models::ArchitectureOptions options = with_dropout(tiny_transformer());
  EXPECT_TRUE(update_in_float16(options, {.r_drop = 5, .steps = 1}).finite);
  for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
    EXPECT_TRUE(update_model(options, compared_device(), {.precision = precision, .r_drop = 5}).finite);
  }
}

TEST(UpdateGrid, EveryOptimizerAgreesWithTheCpu) {
  const std::vector<training::OptimizerOptions> optimizers{training::AdamOptions{.epsilon = 1e-3},
                                                           training::AdamWOptions{.epsilon = 1e-3},
                                                           training::SgdOptions{},
                                                           training::SgdOptions{.momentum = 0.9},
                                                           training::AdagradOptions{.epsilon = 0.1},
                                                           training::AdadeltaOptions{.epsilon = 1e-3},
                                                           training::MuonOptions{.epsilon = 1e-3}};
  for (const training::OptimizerOptions& optimizer : optimizers) {
    SCOPED_TRACE(name_of(optimizer));
    const UpdateSettings settings{.optimizer = optimizer, .steps = 3};
    expect_near(update_model(tiny_transformer(), compared_device(), settings),
                update_model(tiny_transformer(), at::kCPU, settings), 1e-4);
  }
}

}  // namespace
}  // namespace heed::testing
