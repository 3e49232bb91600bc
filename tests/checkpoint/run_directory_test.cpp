#include "heed_torch/checkpoint/run_directory.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;
using testing::message_of;

NamedTensors weights(double value) { return {{"w", torch::full({3}, value)}}; }

Checkpoint made(int64_t step, double rank) {
  return {.info = {.step = step, .scores = {}, .comparable_score = rank},
          .model = weights(static_cast<double>(step)),
          .optimizer = {},
          .state = "{}"};
}

float value_in(const std::string& path) { return read_tensors(path).tensors.at("w")[0].item<float>(); }

struct RunDirectoryOf : ::testing::Test {
  testing::TemporaryDirectory directory;
  std::string path = directory.file("deep/model");
};

TEST_F(RunDirectoryOf, HoldsFilesThatItsManifestLists) {
  {
    RunDirectory run(path);
    run.describe_run(17, {{"text", "abc"}});
    run.write("config.toml", "seed = 17\n");
    run.write("source.spm", "tokenizer");
    run.write_model(weights(2), {.chosen = "best", .steps = {400}, .scores = {.by_name = {{"bleu", 5}}}},
                    {{"note", "text"}});
  }
  const Manifest manifest = read_manifest(path);
  EXPECT_EQ(manifest.seed, 17U);
  EXPECT_EQ(manifest.origin.chosen, "best");
  EXPECT_EQ(manifest.files.size(), 3U);
  EXPECT_TRUE(manifest.pending.empty());
  EXPECT_NO_THROW(verify_files(path, manifest, Verify::Checksums));
  EXPECT_EQ(value_in(pick_checkpoint(path, "")), 2);
  EXPECT_EQ(RunDirectory(path).manifest(), manifest);
}

TEST_F(RunDirectoryOf, VanishesWhenItWasMadeForNothing) {
  { const RunDirectory run(path); }
  EXPECT_FALSE(fs::exists(path));
  fs::create_directories(path);
  { const RunDirectory run(path); }
  EXPECT_TRUE(fs::exists(path)) << "somebody else made it";
  { RunDirectory(directory.file("used")).write("config.toml", ""); }
  EXPECT_TRUE(fs::exists(directory.file("used/config.toml")));
}

TEST_F(RunDirectoryOf, RemovesAFileWithItsListing) {
  RunDirectory run(path);
  run.write("source.words", "a");
  run.remove("source.words");
  EXPECT_FALSE(fs::exists(run.file("source.words")));
  EXPECT_TRUE(read_manifest(path).files.empty());
}

TEST_F(RunDirectoryOf, IsWholeAtEveryMomentOfARemoval) {
  { RunDirectory(path).write("source.words", "a"); }
  Manifest before = read_manifest(path);
  before.files.clear();
  before.pending["source.words"] = {.size = kPendingRemoval, .sha256 = ""};
  write_manifest(path, before);  // killed here
  EXPECT_NO_THROW(verify_files(path, read_manifest(path), Verify::Checksums));
  const RunDirectory run(path);
  EXPECT_FALSE(fs::exists(path + "/source.words")) << "the next start finishes the removal";
  EXPECT_TRUE(read_manifest(path).pending.empty());
}

TEST_F(RunDirectoryOf, IsNotMadeAgainWhenItIsGone) {
  const std::string moved = directory.file("deep/moved");
  const std::string message =
      path +
      ": was moved or removed during the training, which stops here; what was saved is where the directory is now";
  RunDirectory run(path);
  run.write("config.toml", "a");
  run.save_checkpoint(made(100, 1));
  const auto refuses = [&] {
    EXPECT_EQ(message_of<DirectoryMoved>([&] { run.write("config.toml", "b"); }), message);
    EXPECT_EQ(message_of<DirectoryMoved>(
                  [&] { run.write_model(weights(1), {.chosen = "best", .steps = {1}, .scores = {}}); }),
              message);
    EXPECT_EQ(message_of<DirectoryMoved>([&] { run.describe_run(1, {}); }), message);
    EXPECT_EQ(message_of<DirectoryMoved>([&] { run.save_checkpoint(made(200, 1)); }), message);
    EXPECT_EQ(message_of<DirectoryMoved>([&] { run.remove("config.toml"); }), message);
  };
  fs::rename(path, moved);
  refuses();
  EXPECT_FALSE(fs::exists(path));
  fs::create_directory(path);
  refuses();
  EXPECT_TRUE(fs::is_empty(path)) << "another directory of this name is not written into";
  fs::remove(path);
  fs::rename(moved, path);
  EXPECT_NO_THROW(run.require_in_place());
  fs::remove(path + "/manifest.json");
  refuses();
}

TEST_F(RunDirectoryOf, WritesNothingThroughALink) {
  { RunDirectory(path).save_checkpoint(made(100, 1)); }
  const std::string victim = directory.file("victim");
  write_file(victim, "precious");
  for (const char* name : {"metrics.jsonl", "manifest.json", "config.toml.new", ".lock", "train.corpus.0",
                           "checkpoints/x", "checkpoints/0000100/state.json.17.tmp"}) {
    const std::string link = path + "/" + name;
    fs::remove(link);
    fs::create_symlink(victim, link);
    EXPECT_EQ(
        message_of<Error>([&] { const RunDirectory run(path); }),
        link +
            ": is a link, and heed writes nothing in a model directory through links: replace it by what it leads "
            "to");
    fs::remove(link);
  }
  EXPECT_EQ(read_file(victim), "precious");
  ASSERT_EQ(mkfifo((path + "/metrics.jsonl").c_str(), 0600), 0);
  EXPECT_EQ(message_of<Error>([&] { const RunDirectory run(path); }),
            path + "/metrics.jsonl: is neither a file nor a directory: remove it from the model directory");
  fs::remove(path + "/metrics.jsonl");
  fs::create_directory_symlink(path, directory.file("latest"));
  EXPECT_NO_THROW(RunDirectory(directory.file("latest"))) << "the directory itself may be named by a link";
}

TEST_F(RunDirectoryOf, IsForOneTrainingAtATime) {
  const RunDirectory run(path);
  EXPECT_EQ(message_of<Error>([this] { RunDirectory other(path); }),
            path + ": another training is running in this directory");
  EXPECT_NO_THROW(RunDirectory(directory.file("other")));
}

TEST_F(RunDirectoryOf, IsFreeAgainWhenTheTrainingIsGone) {
  { const RunDirectory run(path); }
  const RunDirectory run(path);
}

TEST_F(RunDirectoryOf, CheckpointsArePickedByName) {
  RunDirectory run(path);
  run.describe_run(1, {});
  EXPECT_EQ(message_of<CheckpointError>([this] { pick_checkpoint(path, ""); }),
            path + ": has no finished model; no checkpoint exists yet");
  run.save_checkpoint(made(100, 1));
  run.save_checkpoint(made(200, 3));
  run.save_checkpoint(made(300, 2));
  EXPECT_EQ(message_of<CheckpointError>([this] { pick_checkpoint(path, ""); }),
            path +
                ": the training has not ended, so there is no model yet; to try a checkpoint: `--checkpoint best` (or "
                "last, 100, 200, 300)");
  EXPECT_EQ(message_of<CheckpointError>([this] { pick_checkpoint(path, "7"); }),
            path + ": has no checkpoint `7`; there are best, last, 100, 200, 300");
  run.write_model(weights(7), {.chosen = "averaged", .steps = {200, 300}, .scores = {}});
  EXPECT_EQ(value_in(pick_checkpoint(path, "")), 7);
  EXPECT_EQ(value_in(pick_checkpoint(path, "averaged")), 7);
  EXPECT_EQ(value_in(pick_checkpoint(path, "best")), 200);
  EXPECT_EQ(value_in(pick_checkpoint(path, "last")), 300);
  EXPECT_EQ(value_in(pick_checkpoint(path, "100")), 100);
  EXPECT_EQ(value_in(pick_checkpoint(path, "0000100")), 100);
  for (const char* wrong : {"101", "1e2", "newest", "-1"}) {
    EXPECT_EQ(message_of<CheckpointError>([&] { pick_checkpoint(path, wrong); }),
              path + ": has no checkpoint `" + wrong + "`; there are averaged, best, last, 100, 200, 300");
  }
  run.write_model(weights(8), {.chosen = "best", .steps = {200}, .scores = {}});
  EXPECT_EQ(value_in(pick_checkpoint(path, "best")), 8);
}

TEST_F(RunDirectoryOf, BestAndLastAreThoseOfATrainingThatGoesOn) {
  RunDirectory run(path);
  run.save_checkpoint(made(100, 1));
  for (const char* name : {"best", "last"}) {
    run.write_model(weights(7), {.chosen = name, .steps = {100}, .scores = {}});
    EXPECT_EQ(value_in(pick_checkpoint(path, name)), 7);
    run.save_checkpoint(made(200, 2));
    EXPECT_EQ(value_in(pick_checkpoint(path, name)), 200) << name;
    EXPECT_EQ(value_in(pick_checkpoint(path, "")), 7) << "the finished model is what it was";
    fs::remove_all(checkpoint_path(path, 200));
  }
}

TEST_F(RunDirectoryOf, OnlyItsOwnLeftoversAreRemoved) {
  fs::create_directories(path);
  const auto leave = [this](const char* name) { write_file(path + "/" + name, "x"); };
  const auto there = [this](const char* name) { return fs::exists(path + "/" + name); };
  const std::vector<const char*> leftovers{
      "config.toml.new",         "model.safetensors.new.17.tmp", "manifest.json.17.tmp",
      "source.spm.17.tmp",       "target.characters.1.tmp",      "source.codes.new",
      "train.corpus.17.tmp",     "shortlist.safetensors.new",    "train.text.0.new",
      "valid.text.1.new.17.tmp", "train.vectors.new.safetensors"};
  const std::vector<const char*> others{"thesis.new", "notes.17.tmp", "my.config.toml.new", "source.1.tmp"};
  for (const auto* names : {&leftovers, &others}) std::for_each(names->begin(), names->end(), leave);
  RunDirectory(directory.file("deep/model"));
  for (const char* name : leftovers) EXPECT_TRUE(there(name)) << "no model directory yet: " << name;
  write_manifest(path, {});
  RunDirectory(directory.file("deep/model"));
  for (const char* name : leftovers) EXPECT_FALSE(there(name)) << name;
  for (const char* name : others) EXPECT_TRUE(there(name)) << name;
}

TEST_F(RunDirectoryOf, WhatAKilledProcessLeftUnderTemporaryNamesIsRemoved) {
  fs::create_directories(path);
  for (const char* name : {".config.toml.new.heed0.tmp", ".train.corpus.3.heed1.tmp"})
    write_file(path + "/" + name, "");
  const RunDirectory run(path);
  EXPECT_FALSE(fs::exists(run.file(".config.toml.new.heed0.tmp"))) << "in a directory that has no manifest yet, too";
  EXPECT_FALSE(fs::exists(run.file(".train.corpus.3.heed1.tmp")));
}

TEST_F(RunDirectoryOf, DamageIsFoundWhenPicking) {
  RunDirectory run(path);
  run.write("config.toml", "seed = 1\n");
  run.write_model(weights(1), {.chosen = "best", .steps = {}, .scores = {}});
  run.save_checkpoint(made(100, 1));
  write_file(path + "/config.toml", "seed = 2\n");
  EXPECT_EQ(message_of<CheckpointError>([this] { pick_checkpoint(path, ""); }),
            path + "/config.toml: is damaged: its checksum is not the manifest's");
  write_file(path + "/config.toml", "seed = 1\n");
  const std::string checkpoint = checkpoint_model_path(path, 100);
  std::string damaged = read_file(checkpoint);
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // another number: as long, and readable
  write_file(checkpoint, damaged);
  EXPECT_EQ(message_of<CheckpointError>([this] { pick_checkpoint(path, "100"); }),
            checkpoint + ": is damaged: its checksum is not the manifest's");
  write_file(path + "/model.safetensors", "garbage");
  EXPECT_THROW(pick_checkpoint(path, "best"), CheckpointError);
  EXPECT_EQ(message_of<CheckpointError>([] { pick_checkpoint("/nowhere", ""); }),
            "/nowhere: is not a model directory: it does not exist");
  const std::string a_file = path + "/config.toml";
  EXPECT_EQ(message_of<CheckpointError>([&] { pick_checkpoint(a_file, ""); }),
            a_file + ": is neither a directory nor a file that `heed pack` made");
}

TEST_F(RunDirectoryOf, DamageOfTheFinishedModelIsFoundByWhateverName) {
  RunDirectory(path).write_model(weights(1), {.chosen = "best", .steps = {}, .scores = {}});
  const std::string model = path + "/model.safetensors";
  std::string damaged = read_file(model);
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // another number: as long, and readable
  write_file(model, damaged);
  for (const char* name : {"", "best"}) {
    EXPECT_EQ(message_of<CheckpointError>([&] { pick_checkpoint(path, name); }),
              model + ": is damaged: its checksum is not the manifest's");
  }
}

/// A directory whose model of 1 is about to be replaced by that of 2, and a copy of it.
struct AModelBeingReplaced : RunDirectoryOf {
  void announce(const std::function<void(Manifest&)>& change) {
    RunDirectory(path).write_model(weights(1), {.chosen = "best", .steps = {1}, .scores = {}});
    write_tensors(path + "/model.safetensors.new", weights(2));
    Manifest announced = read_manifest(path);
    announced.pending["model.safetensors"] = record_of(path + "/model.safetensors.new");
    change(announced);
    write_manifest(path, announced);
    fs::copy(path, before, fs::copy_options::recursive);
  }
  void replace() { fs::rename(path + "/model.safetensors.new", path + "/model.safetensors"); }

  std::string before = directory.file("before");
};

TEST_F(AModelBeingReplaced, HasItsOriginWithIt) {
  const ModelOrigin origin{.chosen = "averaged", .steps = {2}, .scores = {.by_name = {{"loss", 3}}}};
  announce([&](Manifest& manifest) { manifest.pending_origin = origin; });
  EXPECT_EQ(value_in(pick_checkpoint(before, "best")), 1);
  const RunDirectory as_before(before);
  EXPECT_EQ(as_before.manifest().origin, (ModelOrigin{.chosen = "best", .steps = {1}, .scores = {}}));
  EXPECT_FALSE(as_before.manifest().pending_origin);
  replace();
  EXPECT_EQ(value_in(pick_checkpoint(path, "averaged")), 2);
  EXPECT_EQ(RunDirectory(path).manifest().origin, origin);
  EXPECT_EQ(read_manifest(path).origin, origin);
}

TEST_F(AModelBeingReplaced, HadItsOriginTooEarlyInTheFirstVersions) {
  announce([](Manifest& manifest) { manifest.origin.steps = {2}; });
  EXPECT_TRUE(RunDirectory(before).manifest().origin.steps.empty()) << "that of the model of 1 is unknown";
  replace();
  EXPECT_EQ(RunDirectory(path).manifest().origin.steps, (std::vector<int64_t>{2}));
}

TEST_F(RunDirectoryOf, AModelThatCannotBeWrittenIsNotListed) {
  RunDirectory run(path);
  const ModelOrigin origin{.chosen = "best", .steps = {1}, .scores = {}};
  fs::create_directories(run.file("model.safetensors/in the way"));
  EXPECT_ANY_THROW(run.write_model(weights(1), origin));
  EXPECT_EQ(run.manifest(), Manifest{});
  EXPECT_FALSE(fs::exists(run.file("model.safetensors.new")));
  fs::remove_all(run.file("model.safetensors"));
  run.write_model(weights(1), origin);
  EXPECT_EQ(run.manifest().origin, origin);
}

TEST_F(RunDirectoryOf, SurvivesBeingKilledAtAnyMoment) {
  {
    RunDirectory run(path);
    run.write("config.toml", "0");
    run.write_model(weights(0), {.chosen = "best", .steps = {0}, .scores = {}});
  }
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      RunDirectory run(path);
      for (int value = 1;; ++value) {
        run.write("config.toml", std::to_string(value));
        run.write_model(weights(value), {.chosen = "best", .steps = {value}, .scores = {}});
      }
    }
    usleep(3000 + 9000 * static_cast<unsigned>(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_NO_THROW(pick_checkpoint(path, "")) << "as the killed process left it";
    const RunDirectory run(path);
    EXPECT_TRUE(run.manifest().pending.empty());
    EXPECT_NO_THROW(verify_files(path, run.manifest(), Verify::Checksums));
    EXPECT_EQ(value_in(pick_checkpoint(path, "")), static_cast<float>(run.manifest().origin.steps.front()));
    for (const auto& entry : fs::directory_iterator(path)) {
      const std::string name = entry.path().filename();
      EXPECT_TRUE(name == ".lock" || name == "config.toml" || name == "model.safetensors" || name == "manifest.json")
          << name;
    }
  }
}

}  // namespace
}  // namespace heed::checkpoint
