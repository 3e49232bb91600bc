#include "heed_torch/checkpoint/average_model.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;
using testing::message_of;
using Steps = std::vector<int64_t>;

/// A training with checkpoints 1 to 4, whose parameter is the number and of which 2 and 3 are best.
struct AveragingAModel : ::testing::Test {
  AveragingAModel() {
    RunDirectory run(model);
    run.write("config.toml", "seed = 7\n");
    run.write("source.words", "a");
    run.write("target.words", "b");
    run.describe_run(7, {{"source file 1", "sum"}});
    for (const int64_t step : {1, 2, 3, 4}) {
      run.save_checkpoint({.info = {.step = step, .scores = {}, .comparable_score = step == 2 || step == 3},
                           .model = {{"w", torch::full({3}, static_cast<double>(step))}},
                           .optimizer = {},
                           .state = "{}"});
    }
  }
  float averaged() const { return read_tensors(pick_checkpoint(output, "")).tensors.at("w")[0].item<float>(); }
  template <class Refusal>
  std::string refusal(const AverageOptions& options) const {
    const std::string message = message_of<Refusal>([&] { average_model(options); });
    EXPECT_FALSE(fs::exists(output));
    return message;
  }
  AverageOptions of(std::vector<std::string> checkpoints) const {
    return {.model = model, .checkpoints = std::move(checkpoints), .best = {}, .last = {}, .output = output};
  }

  testing::TemporaryDirectory directory;
  std::string model = directory.file("model");
  std::string output = directory.file("deep/averaged");
};

TEST_F(AveragingAModel, MakesACompleteModelDirectory) {
  EXPECT_EQ(average_model(of({"4", "1"})), (Steps{1, 4}));
  EXPECT_EQ(averaged(), 2.5F);
  EXPECT_EQ(pick_checkpoint(output, "averaged"), output + "/model.safetensors");
  EXPECT_EQ(read_file(output + "/config.toml"), "seed = 7\n");
  EXPECT_EQ(read_file(output + "/source.words"), "a");
  EXPECT_EQ(read_file(output + "/target.words"), "b");
  EXPECT_NO_THROW(verify_finished_model(output));
  const Manifest manifest = read_manifest(output);
  EXPECT_EQ(manifest.origin.steps, (Steps{1, 4}));
  EXPECT_EQ(manifest.seed, 7);
  EXPECT_EQ(manifest.corpus, read_manifest(model).corpus);
}

TEST_F(AveragingAModel, TakesTheBestOrTheLast) {
  AverageOptions options = of({});
  options.best = 2;
  EXPECT_EQ(average_model(options), (Steps{2, 3}));
  fs::remove_all(output);
  options.best.reset();
  options.last = 3;
  EXPECT_EQ(average_model(options), (Steps{2, 3, 4}));
  EXPECT_EQ(averaged(), 3);
}

TEST_F(AveragingAModel, OverwritesNothing) {
  fs::create_directories(output);
  EXPECT_NO_THROW(average_model(of({"1", "2"}))) << "an empty directory will do";
  EXPECT_EQ(message_of<ConfigError>([&] { average_model(of({"3", "4"})); }),
            "`--output` must be a new or an empty directory, but " + output + " holds something already");
  EXPECT_EQ(averaged(), 1.5F);
  AverageOptions itself = of({"1", "2"});
  itself.output = model;
  EXPECT_THROW(average_model(itself), ConfigError);
}

TEST_F(AveragingAModel, WhatIsNotThereIsNamed) {
  EXPECT_EQ(refusal<CheckpointError>(of({"1", "9"})),
            model + "/checkpoints: has no checkpoint of step 9; there are 1, 2, 3, 4");
  EXPECT_EQ(refusal<ConfigError>(of({"1", "x"})), "`--checkpoints` must be numbers of steps, but one is `x`");
  EXPECT_EQ(refusal<ConfigError>(of({"1", "3", "1"})), "`--checkpoints` names 1 twice");
  EXPECT_EQ(refusal<ConfigError>(of({"1"})), "`--checkpoints` must name at least two, but names only 1");
  AverageOptions options = of({});
  EXPECT_EQ(refusal<ConfigError>(options),
            "name the checkpoints to average by one of `--checkpoints`, `--best` and `--last`");
  options.last = 5;
  EXPECT_EQ(refusal<ConfigError>(options), "`--last` must be at most 4, the number of checkpoints in " + model +
                                               "/checkpoints to choose from (there are 1, 2, 3, 4), but is 5");
  options.best = 2;
  EXPECT_THROW(average_model(options), ConfigError) << "two choices";
  std::ofstream(model + "/checkpoints/0000002/model.safetensors", std::ios::app) << "x";
  EXPECT_THROW(average_model(of({"1", "2"})), CheckpointError);
  EXPECT_FALSE(fs::exists(output));
  options = of({"1", "3"});
  options.model = directory.file("none");
  EXPECT_EQ(refusal<CheckpointError>(options), options.model + ": is not a model directory: it has no manifest.json");
}

}  // namespace
}  // namespace heed::checkpoint
