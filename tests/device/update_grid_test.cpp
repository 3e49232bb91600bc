// Updates of every family of networks on the fake device and on the CPU.
#include <gtest/gtest.h>

#include "device/networks.h"

namespace heed::testing {
namespace {

using training::Precision;

// The scale that a training in fp16 comes to soon enough, whatever it begins with.
constexpr double kLossScale = 1024;

void expect_near(const UpdatedModel& found, const UpdatedModel& expected, double tolerance) {
  EXPECT_TRUE(found.finite);
  EXPECT_NEAR(found.loss, expected.loss, tolerance);
  EXPECT_NEAR(found.gradient_norm, expected.gradient_norm, tolerance * std::max(1.0, expected.gradient_norm));
  const NamedDifference gradients = largest_difference(found.gradients, expected.gradients);
  EXPECT_LT(gradients.value, tolerance) << gradients.name;
  const NamedDifference tensors = largest_difference(found.tensors, expected.tensors);
  EXPECT_LT(tensors.value, tolerance) << tensors.name;
}

TEST(UpdateGrid, Float32AgreesWithTheCpu) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    expect_near(update_model(options, compared_device()), update_model(options, at::kCPU), 1e-4);
  }
}

/// One update: the second of a network that draws would follow other draws.
void expect_low_precision(Precision precision, double tolerance, double loss_scale) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    const UpdateSettings settings{.precision = precision, .updates = 1, .loss_scale = loss_scale};
    const UpdatedModel found = update_model(options, compared_device(), settings);
    const UpdatedModel expected = update_model(options, at::kCPU, {.updates = 1});
    EXPECT_TRUE(found.finite);
    EXPECT_NEAR(found.loss, expected.loss, tolerance * std::max(1.0, expected.loss));
  }
}

TEST(UpdateGrid, Bfloat16IsNearFloat32) { expect_low_precision(Precision::Bf16, 0.03, 1); }

TEST(UpdateGrid, Float16IsNearFloat32) { expect_low_precision(Precision::Fp16, 0.01, kLossScale); }

TEST(UpdateGrid, DropoutDrawsOnTheDevice) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(update_model(with_dropout(options), compared_device(), {.updates = 1}).finite);
  }
}

TEST(UpdateGrid, RDropRunsInEveryPrecision) {
  models::ArchitectureOptions options = with_dropout(tiny_transformer());
  for (const Precision precision : {Precision::Fp32, Precision::Bf16, Precision::Fp16}) {
    const double scale = precision == Precision::Fp16 ? kLossScale : 1;
    EXPECT_TRUE(
        update_model(options, compared_device(), {.precision = precision, .r_drop = 5, .loss_scale = scale}).finite);
  }
}

TEST(UpdateGrid, EveryOptimizerAgreesWithTheCpu) {
  const std::vector<training::OptimizerOptions> optimizers{training::AdamOptions{.epsilon = 1e-3},
                                                           training::AdamWOptions{.epsilon = 1e-3},
                                                           training::SgdOptions{},
                                                           training::SgdOptions{.momentum = 0.9},
                                                           training::AdagradOptions{.epsilon = 0.1},
                                                           training::AdadeltaOptions{.epsilon = 1e-3}};
  for (const training::OptimizerOptions& optimizer : optimizers) {
    SCOPED_TRACE(name_of(optimizer));
    const UpdateSettings settings{.optimizer = optimizer, .updates = 3};
    expect_near(update_model(tiny_transformer(), compared_device(), settings),
                update_model(tiny_transformer(), at::kCPU, settings), 1e-4);
  }
}

}  // namespace
}  // namespace heed::testing
