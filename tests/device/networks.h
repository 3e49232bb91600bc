// The networks that are compared between the CPU and the fake device, and steps of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "heed/data/corpus/micro_batch.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/step/precision.h"
#include "support/tiny_models.h"

namespace heed::testing {

constexpr int64_t kWords = 20;  ///< of both vocabularies, beside the special tokens

/// Translation models: some of every family, or with HEED_WHOLE_GRID in the environment all that tests know.
std::vector<NamedArchitecture> translation_networks();
/// Whether it draws other numbers on `device` than on the CPU: a GPU does, the fake device does not.
bool draws_others(const models::ArchitectureOptions& options, at::Device device);
/// A language model of each family that has one.
std::vector<NamedArchitecture> language_networks();
/// Both.
std::vector<NamedArchitecture> all_networks();

/// The same with dropout in all places that have it.
models::ArchitectureOptions with_dropout(models::ArchitectureOptions options);

/// With initial values of seed 3, on `device`, in evaluation mode.
std::shared_ptr<models::Model> make_model(const models::ArchitectureOptions& options, at::Device device);

/// Random lines in parts of three pairs.
data::StepBatch random_update(bool has_source, int64_t parts);

struct UpdateSettings {
  training::Precision precision = training::Precision::Fp32;
  double r_drop = 0;
  training::OptimizerOptions optimizer = training::SgdOptions{};
  int64_t steps = 2;
  double loss_scale = 1;
};

/// What the last of some steps had, on the CPU.
struct UpdatedModel {
  double loss = 0;
  double gradient_norm = 0;
  bool finite = true;
  std::map<std::string, at::Tensor> gradients;
  std::map<std::string, at::Tensor> tensors;  ///< after it: parameters and buffers
};

/// Makes steps of a fresh model of these options.
UpdatedModel update_model(const models::ArchitectureOptions& options, at::Device device,
                          const UpdateSettings& settings = {});
/// Steps of this model, which is on `device`.
UpdatedModel update_model(const std::shared_ptr<models::Model>& model, const data::StepBatch& step, at::Device device,
                          const UpdateSettings& settings);

/// Loss, norm, gradients and tensors.
void expect_near(const UpdatedModel& found, const UpdatedModel& expected, double tolerance);

/// The largest difference of any tensor, relative to the larger of 1 and its largest value, and its name.
struct NamedDifference {
  double value = 0;
  std::string name;
};
NamedDifference largest_difference(const std::map<std::string, at::Tensor>& found,
                                   const std::map<std::string, at::Tensor>& expected);

/// The device that is compared with the CPU: the last one, so that what goes to the first by default is found. It is a
/// fake device, or with HEED_CUDA in the environment a GPU, and then no fake device is registered: run_on_cuda.sh.
at::Device compared_device();
/// The first device of that kind.
at::Device first_device();

}  // namespace heed::testing
