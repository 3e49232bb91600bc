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
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

Checkpoint made(int64_t update, std::optional<double> rank = {}, double value = 1) {
  return {.info = {.update = update, .scores = {}, .rank = rank},
          .model = {{"w", torch::full({4}, value)}},
          .optimizer = {{"w.m", torch::full({4}, 2 * value)}},
          .state = R"({"value": )" + std::to_string(value) + "}"};
}

std::vector<int64_t> updates(const std::vector<CheckpointInfo>& infos) {
  std::vector<int64_t> numbers;
  for (const auto& info : infos) numbers.push_back(info.update);
  return numbers;
}

using Updates = std::vector<int64_t>;

struct CheckpointsOf : ::testing::Test {
  void damage(const std::string& name) const { std::ofstream(name, std::ios::app) << "x"; }
  testing::TemporaryDirectory directory;
  Checkpoints checkpoints{directory.file("checkpoints")};
};

TEST_F(CheckpointsOf, RanksOfAnOlderEraDoNotCount) {
  checkpoints.save(made(100, 40));
  checkpoints.save(made(200, 50));
  Checkpoint later = made(300);
  later.info.era = 1;
  checkpoints.save(later);
  EXPECT_EQ(checkpoints.best()->update, 200) << "nothing of the new era has a rank";
  later = made(400, -3);
  later.info.era = 1;
  checkpoints.save(later);
  EXPECT_EQ(checkpoints.load(400).info.era, 1);
  EXPECT_EQ(updates(checkpoints.ranked()), Updates{400});
  checkpoints.prune(/*keep_best=*/2, /*keep_last=*/1);
  EXPECT_EQ(updates(checkpoints.list()), Updates{400});
}

TEST_F(CheckpointsOf, HoldWhatWasSaved) {
  Checkpoint saved = made(4000, 12.5);
  saved.info.scores = {{"bleu", 12.5}, {"loss", 3.25}};
  checkpoints.save(saved);
  EXPECT_EQ(checkpoints.path(4000), directory.file("checkpoints/0004000"));
  const Checkpoint loaded = checkpoints.load(4000);
  EXPECT_EQ(loaded.info, saved.info);
  EXPECT_TRUE(loaded.model.at("w").equal(saved.model.at("w")));
  EXPECT_TRUE(loaded.optimizer.at("w.m").equal(saved.optimizer.at("w.m")));
  EXPECT_EQ(loaded.state, saved.state);
  EXPECT_TRUE(fs::exists(checkpoints.model_path(4000)));
}

TEST_F(CheckpointsOf, AreListedOldestFirst) {
  EXPECT_TRUE(checkpoints.list().empty());
  EXPECT_FALSE(checkpoints.load_latest());
  for (const int64_t update : {20'000'000, 300, 5}) checkpoints.save(made(update));
  fs::create_directory(directory.file("checkpoints/notes"));
  EXPECT_EQ(updates(checkpoints.list()), (Updates{5, 300, 20'000'000}));
  EXPECT_EQ(checkpoints.load_latest()->info.update, 20'000'000);
}

TEST_F(CheckpointsOf, KeepTheBestAndTheLast) {
  checkpoints.save(made(1, 10));
  checkpoints.save(made(2, 30));
  checkpoints.save(made(3, 30));
  checkpoints.save(made(4));
  checkpoints.save(made(5, 20));
  EXPECT_EQ(checkpoints.best()->update, 2) << "of equal ones the oldest";
  EXPECT_EQ(updates(checkpoints.best(3)), (Updates{2, 3, 5}));
  EXPECT_EQ(updates(checkpoints.last(2)), (Updates{4, 5}));
  EXPECT_EQ(updates(checkpoints.last(9)), (Updates{1, 2, 3, 4, 5}));
  checkpoints.prune(1, 2);
  EXPECT_EQ(updates(checkpoints.list()), (Updates{2, 4, 5}));
  checkpoints.prune(0, 1);
  EXPECT_EQ(updates(checkpoints.list()), (Updates{5}));
}

TEST_F(CheckpointsOf, OfEqualRanksTheOneOfLowerLossIsBest) {
  for (const auto& [update, loss] : std::map<int64_t, double>{{1, 2.5}, {2, 2.0}, {3, std::nan("")}, {4, 2.25}}) {
    Checkpoint checkpoint = made(update, 30);
    checkpoint.info.scores["loss"] = loss;
    checkpoints.save(checkpoint);
  }
  EXPECT_EQ(checkpoints.best()->update, 2);
  EXPECT_EQ(updates(checkpoints.best(2)), (Updates{2, 4}));
}

TEST_F(CheckpointsOf, AnEndOffScheduleCountsOnlyWhileItIsTheNewest) {
  const auto save = [&](int64_t update, double rank, bool scheduled) {
    Checkpoint checkpoint = made(update, rank);
    checkpoint.info.scheduled = scheduled;
    checkpoints.save(checkpoint);
    checkpoints.prune(1, 2);
  };
  save(0, 90, false);
  save(10, 20, true);
  save(20, 30, true);
  save(25, 40, false);
  EXPECT_EQ(updates(checkpoints.list()), (Updates{10, 20, 25})) << "it takes no other one's place";
  EXPECT_EQ(updates(checkpoints.last(2)), (Updates{20, 25}));
  EXPECT_EQ(checkpoints.best()->update, 25);
  checkpoints.save(made(30, 25));
  EXPECT_EQ(updates(checkpoints.last(2)), (Updates{20, 30}));
  EXPECT_EQ(checkpoints.best()->update, 20);
  checkpoints.prune(1, 2);
  EXPECT_EQ(updates(checkpoints.list()), (Updates{20, 30}));
}

TEST_F(CheckpointsOf, ScoresOffScheduleCountOnlyWhileTheyAreTheNewest) {
  Checkpoint end = made(20, 90);
  end.info.scores["loss"] = 0.5;
  end.info.scored_off_schedule = true;
  checkpoints.save(made(10, 30));
  checkpoints.save(end);
  EXPECT_EQ(checkpoints.best()->update, 20);
  EXPECT_EQ(checkpoints.list().back(), end.info);
  checkpoints.save(made(30, 25));
  EXPECT_EQ(updates(checkpoints.best(3)), (Updates{10, 30}));
  EXPECT_EQ(updates(checkpoints.last(3)), (Updates{10, 20, 30})) << "it was saved by the schedule";
  EXPECT_TRUE(checkpoints.list()[1].scores.empty());
}

TEST_F(CheckpointsOf, ScoresOffScheduleTakeNoOnesPlace) {
  checkpoints.save(made(10, 30));
  checkpoints.save(made(15, 20));
  Checkpoint end = made(20, 90);
  end.info.scored_off_schedule = true;
  checkpoints.save(end);
  checkpoints.prune(1, 1);
  EXPECT_EQ(updates(checkpoints.list()), (Updates{10, 20}));
  checkpoints.save(made(30, 25));
  EXPECT_EQ(checkpoints.best()->update, 10) << "as if training had not ended at 20";
}

TEST_F(CheckpointsOf, ASavedUpdateIsReplaced) {
  checkpoints.save(made(7, {}, 1));
  checkpoints.save(made(7, {}, 2));
  EXPECT_EQ(checkpoints.load(7).model.at("w")[0].item<float>(), 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.file("checkpoints")), {}), 1);
}

TEST_F(CheckpointsOf, ADamagedOneIsPassedOverWithAWarning) {
  std::vector<std::string> warnings;
  set_log_sink([&warnings](LogLevel, std::string_view message) { warnings.emplace_back(message); });
  for (const int64_t update : {1, 2, 3}) checkpoints.save(made(update));
  const std::string third = checkpoints.path(3) + "/optimizer.safetensors";
  std::string content = read_file(third);
  content.back() = static_cast<char>(content.back() ^ 1);
  write_file(third, content);
  fs::remove(checkpoints.path(2) + "/manifest.json");
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { checkpoints.load(3); }),
            third + ": is damaged: its checksum is not the manifest's");
  warnings.clear();
  EXPECT_EQ(checkpoints.load_latest()->info.update, 1);
  set_log_sink({});
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], checkpoints.path(2) +
                             ": is not a model directory: it has no manifest.json; this checkpoint is passed "
                             "over");
  EXPECT_EQ(warnings[1],
            third + ": is damaged: its checksum is not the manifest's; resuming from the checkpoint before it");
  checkpoints.save(made(2));
  checkpoints.prune(1, 1);
  EXPECT_EQ(updates(checkpoints.list()), (Updates{2})) << "the damaged one is not taken for the newest";
  EXPECT_TRUE(fs::exists(directory.file("checkpoints/.0000003.damaged/model.safetensors"))) << "nor lost";
  checkpoints.clean();
  EXPECT_TRUE(fs::exists(directory.file("checkpoints/.0000003.damaged")));
}

TEST_F(CheckpointsOf, WhereAllAreDamagedNothingBeginsAnew) {
  set_log_sink([](LogLevel, std::string_view) {});
  EXPECT_FALSE(checkpoints.any());
  for (const int64_t update : {1, 2}) checkpoints.save(made(update));
  damage(checkpoints.path(1) + "/state.json");
  damage(checkpoints.path(2) + "/state.json");
  const std::string message =
      directory.file("checkpoints") + ": all checkpoints are damaged; restore one, or train in another directory";
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { checkpoints.load_latest(); }), message);
  for (const int64_t update : {1, 2}) fs::remove(checkpoints.path(update) + "/manifest.json");
  EXPECT_TRUE(checkpoints.any());
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { checkpoints.load_latest(); }), message);
  set_log_sink({});
}

TEST_F(CheckpointsOf, WhatTheSystemRefusesIsNoDamage) {
  for (const int64_t update : {1, 2}) checkpoints.save(made(update));
  const std::string manifest = checkpoints.path(2) + "/manifest.json";
  fs::remove(manifest);
  fs::create_directory(manifest);
  EXPECT_THROW(checkpoints.list(), FileError);
  EXPECT_THROW(checkpoints.load_latest(), FileError);
}

TEST_F(CheckpointsOf, TheModelAloneIsVerified) {
  checkpoints.save(made(1));
  damage(checkpoints.path(1) + "/optimizer.safetensors");
  EXPECT_NO_THROW(checkpoints.verify_model(1));
  damage(checkpoints.model_path(1));
  EXPECT_THROW(checkpoints.verify_model(1), CheckpointError);
}

TEST_F(CheckpointsOf, EveryFileIsChecked) {
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    checkpoints.save(made(1));
    damage(checkpoints.path(1) + "/" + name);
    EXPECT_THROW(checkpoints.load(1), CheckpointError) << name;
    fs::remove(checkpoints.path(1) + "/" + name);
    EXPECT_EQ(testing::message_of<CheckpointError>([this] { checkpoints.load(1); }),
              checkpoints.path(1) + "/" + name + ": is missing, the manifest lists it");
  }
  EXPECT_EQ(testing::message_of<CheckpointError>([this] { checkpoints.load(2); }),
            checkpoints.path(2) + ": does not exist");
}

TEST_F(CheckpointsOf, CleaningFinishesWhatWasInterrupted) {
  checkpoints.save(made(1));
  checkpoints.save(made(2));
  const std::string base = directory.file("checkpoints/");
  fs::create_directory(base + ".0000003.tmp");
  fs::copy(base + "0000001", base + ".0000001.old");
  fs::rename(base + "0000002", base + ".0000002.old");
  fs::create_directory(base + ".0000004.removed");
  checkpoints.clean();
  EXPECT_EQ(updates(checkpoints.list()), (Updates{1, 2}));
  EXPECT_EQ(std::distance(fs::directory_iterator(base), {}), 2);
  EXPECT_EQ(checkpoints.load(2).info.update, 2);
}

TEST_F(CheckpointsOf, AFullDiskIsFoundBeforeWriting) {
  checkpoints.save(made(1));
  Checkpoint huge = made(2);
  huge.model["w"] = torch::zeros({1}).expand({int64_t{1} << 50});
  const std::string message = testing::message_of<Error>([&] { checkpoints.save(huge); });
  const std::string expected =
      ": not enough space for the checkpoint of step 2: it takes 4503599627.3 MB and 1.0 MB must stay free; ";
  EXPECT_NE(message.find(expected), std::string::npos) << message;
  EXPECT_EQ(updates(checkpoints.list()), Updates{1});
}

TEST_F(CheckpointsOf, AFailedSaveLeavesTheOthers) {
  checkpoints.save(made(1));
  Checkpoint bad = made(2);
  bad.optimizer["c"] = torch::zeros({1}, at::kComplexFloat);
  EXPECT_THROW(checkpoints.save(bad), CheckpointError);
  EXPECT_EQ(updates(checkpoints.list()), Updates{1});
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.file("checkpoints")), {}), 1);
}

TEST_F(CheckpointsOf, AreWholeBeforeTheyHaveTheirName) {
  int calls = 0;
  checkpoints.save(made(1), [&] {
    ++calls;
    EXPECT_TRUE(checkpoints.list().empty());
    EXPECT_TRUE(fs::exists(directory.file("checkpoints/.0000001.tmp/manifest.json")));
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(updates(checkpoints.list()), Updates{1});
  EXPECT_THROW(checkpoints.save(made(2), [] { throw Error("full"); }), Error);
  EXPECT_EQ(updates(checkpoints.list()), Updates{1});
}

TEST_F(CheckpointsOf, SurviveBeingKilledAtAnyMoment) {
  checkpoints.save(made(0));
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (int64_t update = 1;; ++update) {
        checkpoints.save(made(update % 5, static_cast<double>(update)));
        checkpoints.prune(1, 2);
      }
    }
    usleep(3000 + 7000 * static_cast<unsigned>(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    checkpoints.clean();
    const auto infos = checkpoints.list();
    ASSERT_FALSE(infos.empty());
    for (const auto& info : infos) EXPECT_EQ(checkpoints.load(info.update).info, info);
  }
}

}  // namespace
}  // namespace heed::checkpoint
