#include "heed_torch/checkpoint/checkpoints.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

Checkpoint made(int64_t step, std::optional<double> score = {}, double value = 1) {
  return {.info = {.step = step, .scores = {}, .comparable_score = score},
          .model = {{"w", torch::full({4}, value)}},
          .optimizer = {{"w.m", torch::full({4}, 2 * value)}},
          .state = R"({"value": )" + std::to_string(value) + "}"};
}

std::vector<int64_t> steps(const std::vector<CheckpointInfo>& infos) {
  std::vector<int64_t> numbers;
  for (const auto& info : infos) numbers.push_back(info.step);
  return numbers;
}

using Steps = std::vector<int64_t>;

struct CheckpointsOf : ::testing::Test {
  void damage(const std::string& name) const { std::ofstream(name, std::ios::app) << "x"; }
  testing::TemporaryDirectory directory;
  std::string model = directory.path();
  std::optional<RunDirectory> run = std::optional<RunDirectory>(std::in_place, model);
};

TEST_F(CheckpointsOf, ScoresOfAnOlderVersionDoNotCount) {
  run->save_checkpoint(made(100, 40));
  run->save_checkpoint(made(200, 50));
  Checkpoint later = made(300);
  later.info.scores.version = 1;
  run->save_checkpoint(later);
  EXPECT_EQ(best_checkpoint(model)->step, 200) << "nothing of the new version has a score";
  later = made(400, -3);
  later.info.scores.version = 1;
  run->save_checkpoint(later);
  EXPECT_EQ(load_checkpoint(model, 400).info.scores.version, 1);
  EXPECT_EQ(steps(best_first(candidates(model))), Steps{400});
  run->prune_checkpoints(/*keep_best=*/2, /*keep_last=*/1);
  EXPECT_EQ(steps(list_checkpoints(model)), Steps{400});
}

TEST_F(CheckpointsOf, HoldWhatWasSaved) {
  Checkpoint saved = made(4000, 12.5);
  saved.info.scores.by_name = {{"bleu", 12.5}, {"loss", 3.25}};
  run->save_checkpoint(saved);
  EXPECT_EQ(checkpoint_path(model, 4000), directory.file("checkpoints/0004000"));
  const Checkpoint loaded = load_checkpoint(model, 4000);
  EXPECT_EQ(loaded.info, saved.info);
  EXPECT_TRUE(loaded.model.at("w").equal(saved.model.at("w")));
  EXPECT_TRUE(loaded.optimizer.at("w.m").equal(saved.optimizer.at("w.m")));
  EXPECT_EQ(loaded.state, saved.state);
  EXPECT_TRUE(fs::exists(checkpoint_model_path(model, 4000)));
}

TEST_F(CheckpointsOf, AreListedOldestFirst) {
  EXPECT_TRUE(list_checkpoints(model).empty());
  EXPECT_FALSE(run->load_latest_checkpoint());
  for (const int64_t step : {20'000'000, 300, 5}) run->save_checkpoint(made(step));
  fs::create_directory(directory.file("checkpoints/notes"));
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{5, 300, 20'000'000}));
  EXPECT_EQ(run->load_latest_checkpoint()->info.step, 20'000'000);
}

TEST_F(CheckpointsOf, KeepTheBestAndTheLast) {
  run->save_checkpoint(made(1, 10));
  run->save_checkpoint(made(2, 30));
  run->save_checkpoint(made(3, 30));
  run->save_checkpoint(made(4));
  run->save_checkpoint(made(5, 20));
  EXPECT_EQ(best_checkpoint(model)->step, 2) << "of equal ones the oldest";
  EXPECT_EQ(steps(best_of(candidates(model), 3)), (Steps{2, 3, 5}));
  EXPECT_EQ(steps(last_of(candidates(model), 2)), (Steps{4, 5}));
  EXPECT_EQ(steps(last_of(candidates(model), 9)), (Steps{1, 2, 3, 4, 5}));
  run->prune_checkpoints(1, 2);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{2, 4, 5}));
  run->prune_checkpoints(0, 1);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{5}));
}

TEST_F(CheckpointsOf, OfEqualScoresTheOneOfLowerLossIsBest) {
  for (const auto& [step, loss] : std::map<int64_t, double>{{1, 2.5}, {2, 2.0}, {3, std::nan("")}, {4, 2.25}}) {
    Checkpoint checkpoint = made(step, 30);
    checkpoint.info.scores.by_name["loss"] = loss;
    run->save_checkpoint(checkpoint);
  }
  EXPECT_EQ(best_checkpoint(model)->step, 2);
  EXPECT_EQ(steps(best_of(candidates(model), 2)), (Steps{2, 4}));
}

TEST_F(CheckpointsOf, AnEndOffScheduleCountsOnlyWhileItIsTheNewest) {
  const auto save = [&](int64_t step, double score, bool scheduled) {
    Checkpoint checkpoint = made(step, score);
    checkpoint.info.scheduled = scheduled;
    run->save_checkpoint(checkpoint);
    run->prune_checkpoints(1, 2);
  };
  save(0, 90, false);
  save(10, 20, true);
  save(20, 30, true);
  save(25, 40, false);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{10, 20, 25})) << "it takes no other one's place";
  EXPECT_EQ(steps(last_of(candidates(model), 2)), (Steps{20, 25}));
  EXPECT_EQ(best_checkpoint(model)->step, 25);
  run->save_checkpoint(made(30, 25));
  EXPECT_EQ(steps(last_of(candidates(model), 2)), (Steps{20, 30}));
  EXPECT_EQ(best_checkpoint(model)->step, 20);
  run->prune_checkpoints(1, 2);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{20, 30}));
}

TEST_F(CheckpointsOf, ScoresOffScheduleCountOnlyWhileTheyAreTheNewest) {
  Checkpoint end = made(20, 90);
  end.info.scores.by_name["loss"] = 0.5;
  end.info.scored_off_schedule = true;
  run->save_checkpoint(made(10, 30));
  run->save_checkpoint(end);
  EXPECT_EQ(best_checkpoint(model)->step, 20);
  EXPECT_EQ(list_checkpoints(model).back(), end.info);
  run->save_checkpoint(made(30, 25));
  EXPECT_EQ(steps(best_of(candidates(model), 3)), (Steps{10, 30}));
  EXPECT_EQ(steps(last_of(candidates(model), 3)), (Steps{10, 20, 30})) << "it was saved by the schedule";
  EXPECT_TRUE(list_checkpoints(model)[1].scores.by_name.empty());
}

TEST_F(CheckpointsOf, ScoresOffScheduleTakeNoOnesPlace) {
  run->save_checkpoint(made(10, 30));
  run->save_checkpoint(made(15, 20));
  Checkpoint end = made(20, 90);
  end.info.scored_off_schedule = true;
  run->save_checkpoint(end);
  run->prune_checkpoints(1, 1);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{10, 20}));
  run->save_checkpoint(made(30, 25));
  EXPECT_EQ(best_checkpoint(model)->step, 10) << "as if training had not ended at 20";
}

TEST_F(CheckpointsOf, ASavedUpdateIsReplaced) {
  run->save_checkpoint(made(7, {}, 1));
  run->save_checkpoint(made(7, {}, 2));
  EXPECT_EQ(load_checkpoint(model, 7).model.at("w")[0].item<float>(), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.file("checkpoints")), {}), 1);
}

TEST_F(CheckpointsOf, ADamagedOneIsPassedOverWithAWarning) {
  std::vector<std::string> warnings;
  set_log_sink([&warnings](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  for (const int64_t step : {1, 2, 3}) run->save_checkpoint(made(step));
  const std::string third = checkpoint_path(model, 3) + "/optimizer.safetensors";
  std::string content = read_file(third);
  content.back() = static_cast<char>(content.back() ^ 1);
  write_file(third, content);
  fs::remove(checkpoint_path(model, 2) + "/manifest.json");
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { load_checkpoint(model, 3); }),
            third + ": is damaged: its checksum is not the manifest's");
  warnings.clear();
  EXPECT_EQ(run->load_latest_checkpoint()->info.step, 1);
  set_log_sink({});
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], checkpoint_path(model, 2) +
                             ": is not a model directory: it has no manifest.json; this checkpoint is "
                             "skipped");
  EXPECT_EQ(warnings[1],
            third + ": is damaged: its checksum is not the manifest's; resuming from the checkpoint before it");
  run->save_checkpoint(made(2));
  run->prune_checkpoints(1, 1);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{2})) << "the damaged one is not taken for the newest";
  EXPECT_TRUE(fs::exists(directory.file("checkpoints/.0000003.damaged/model.safetensors"))) << "nor lost";
  run.emplace(model);
  EXPECT_TRUE(fs::exists(directory.file("checkpoints/.0000003.damaged")));
}

TEST_F(CheckpointsOf, WhereAllAreDamagedNothingBeginsAnew) {
  set_log_sink([](LogLevel, std::string_view) {});
  EXPECT_FALSE(has_checkpoints(model));
  for (const int64_t step : {1, 2}) run->save_checkpoint(made(step));
  damage(checkpoint_path(model, 1) + "/state.json");
  damage(checkpoint_path(model, 2) + "/state.json");
  const std::string message =
      directory.file("checkpoints") + ": all checkpoints are damaged; restore one, or train in another directory";
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { run->load_latest_checkpoint(); }), message);
  for (const int64_t step : {1, 2}) fs::remove(checkpoint_path(model, step) + "/manifest.json");
  EXPECT_TRUE(has_checkpoints(model));
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { run->load_latest_checkpoint(); }), message);
  set_log_sink({});
}

TEST_F(CheckpointsOf, WhatTheSystemRefusesIsNoDamage) {
  for (const int64_t step : {1, 2}) run->save_checkpoint(made(step));
  const std::string manifest = checkpoint_path(model, 2) + "/manifest.json";
  fs::remove(manifest);
  fs::create_directory(manifest);
  EXPECT_THROW(list_checkpoints(model), FileError);
  EXPECT_THROW(run->load_latest_checkpoint(), FileError);
}

TEST_F(CheckpointsOf, TheModelAloneIsVerified) {
  run->save_checkpoint(made(1));
  damage(checkpoint_path(model, 1) + "/optimizer.safetensors");
  EXPECT_NO_THROW(verify_checkpoint_model(model, 1));
  damage(checkpoint_model_path(model, 1));
  EXPECT_THROW(verify_checkpoint_model(model, 1), CheckpointError);
}

TEST_F(CheckpointsOf, EveryFileIsChecked) {
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    run->save_checkpoint(made(1));
    damage(checkpoint_path(model, 1) + "/" + name);
    EXPECT_THROW(load_checkpoint(model, 1), CheckpointError) << name;
    fs::remove(checkpoint_path(model, 1) + "/" + name);
    EXPECT_EQ(testing::message_of<CheckpointError>([this] { load_checkpoint(model, 1); }),
              checkpoint_path(model, 1) + "/" + name + ": is missing, the manifest lists it");
  }
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { load_checkpoint(model, 2); }),
            checkpoint_path(model, 2) + ": does not exist");
}

TEST_F(CheckpointsOf, CleaningFinishesWhatWasInterrupted) {
  run->save_checkpoint(made(1));
  run->save_checkpoint(made(2));
  const std::string base = directory.file("checkpoints/");
  fs::create_directory(base + ".0000003.tmp");
  fs::copy(base + "0000001", base + ".0000001.old");
  fs::rename(base + "0000002", base + ".0000002.old");
  fs::create_directory(base + ".0000004.removed");
  run.emplace(model);
  EXPECT_EQ(steps(list_checkpoints(model)), (Steps{1, 2}));
  EXPECT_EQ(std::distance(fs::directory_iterator(base), {}), 2);
  EXPECT_EQ(load_checkpoint(model, 2).info.step, 2);
}

TEST_F(CheckpointsOf, AFullDiskIsFoundBeforeWriting) {
  run->save_checkpoint(made(1));
  Checkpoint huge = made(2);
  huge.model["w"] = torch::zeros({1}).expand({int64_t{1} << 50});
  const std::string message = testing::message_of<Error>([&] { run->save_checkpoint(huge); });
  const std::string expected =
      ": not enough space for the checkpoint of step 2: it takes 4503599627.3 MB and 1.0 MB must stay free; ";
  EXPECT_NE(message.find(expected), std::string::npos) << message;
  EXPECT_EQ(steps(list_checkpoints(model)), Steps{1});
}

TEST_F(CheckpointsOf, AFailedSaveLeavesTheOthers) {
  run->save_checkpoint(made(1));
  Checkpoint bad = made(2);
  bad.optimizer["c"] = torch::zeros({1}, at::kComplexFloat);
  EXPECT_THROW(run->save_checkpoint(bad), CheckpointError);
  EXPECT_EQ(steps(list_checkpoints(model)), Steps{1});
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.file("checkpoints")), {}), 1);
}

TEST_F(CheckpointsOf, AreWholeBeforeTheyHaveTheirName) {
  int calls = 0;
  run->save_checkpoint(made(1), [&] {
    ++calls;
    EXPECT_TRUE(list_checkpoints(model).empty());
    EXPECT_TRUE(fs::exists(directory.file("checkpoints/.0000001.tmp/manifest.json")));
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(steps(list_checkpoints(model)), Steps{1});
  EXPECT_THROW(run->save_checkpoint(made(2), [] { throw Error("full"); }), Error);
  EXPECT_EQ(steps(list_checkpoints(model)), Steps{1});
}

TEST_F(CheckpointsOf, SurviveBeingKilledAtAnyMoment) {
  run->save_checkpoint(made(0));
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (int64_t step = 1;; ++step) {
        run->save_checkpoint(made(step % 5, static_cast<double>(step)));
        run->prune_checkpoints(1, 2);
      }
    }
    usleep(3000 + 7000 * static_cast<unsigned>(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    run.emplace(model);
    const auto infos = list_checkpoints(model);
    ASSERT_FALSE(infos.empty());
    for (const auto& info : infos) EXPECT_EQ(load_checkpoint(model, info.step).info, info);
  }
}

}  // namespace
}  // namespace heed::checkpoint
