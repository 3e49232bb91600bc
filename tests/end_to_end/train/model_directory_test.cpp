// What a model directory holds must be readable whatever the text is, and may come from anybody.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "heed/command_line/former_names.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"

namespace heed::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr int kInterrupted = 130;

const Words kTiny{"--preset",
                  "transformer-tiny",
                  "--arch.d-model",
                  "16",
                  "--arch.encoder.layers",
                  "1",
                  "--arch.decoder.layers",
                  "1",
                  "--arch.encoder.heads",
                  "2",
                  "--arch.decoder.heads",
                  "2",
                  "--threads",
                  "1",
                  "--train.schedule.warmup",
                  "1"};

class ModelDirectory : public ::testing::Test {
 protected:
  Words train(const Words& more) const {
    return Words{"train", "--source", folder.path("s"), "--target", folder.path("t"), "--model", model} + kTiny + more;
  }
  /// A training that saves a checkpoint after each of its many steps.
  Words endless() const {
    return train({"--text.type", "words", "--train.max-steps", "1000000", "--valid.every", "1"});
  }
  void write_text(const std::string& text) const {
    folder.file("s", text);
    folder.file("t", text);
  }
  void wait_for_checkpoint(Program& program) const {
    while (program.running() && !fs::exists(model + "/checkpoints/0000003")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  Folder folder;
  std::string model = folder.path("model");
};

TEST_F(ModelDirectory, IsReadBackWhateverTheTextHolds) {
  const std::string line =
      std::string("c\rd c\0d \u2028 \u0085 c\u2028d\u0085 \xef\xbb\xbf \"'\\ a\tb </w> @@ #a ", 50) +
      std::string(2000, 'x') + " \r";
  write_text("c\rd\n" + line + "\n\xef\xbb\xbf" + line + "  \n<unk> </s> \u2581a\n" + line + "\n");
  const std::vector<Words> kinds{{"--text.type", "bpe", "--text.minimum-frequency", "1", "--text.glossaries", "c\rd"},
                                 {"--text.type", "words"},
                                 {"--text.type", "characters"},
                                 {"--text.type", "unigram", "--text.vocab-size", "60"},
                                 {"--text.type", "sentencepiece-bpe", "--text.vocab-size", "60"}};
  for (const Words& kind : kinds) {
    const Result first = heed(train(kind + Words{"--train.max-steps", "1"}));
    ASSERT_EQ(first.code, 0) << kind[1] << ": " << first.errors;
    const Result resumed = heed(train(kind + Words{"--train.max-steps", "2"}));
    EXPECT_EQ(resumed.code, 0) << kind[1] << ": " << resumed.errors;
    const Result translated = heed({"translate", "--model", model, "--threads", "1"}, line + "\n");
    EXPECT_EQ(translated.code, 0) << kind[1] << ": " << translated.errors;
    const Result listed = heed({"shortlist", "--model", model, "--iterations", "1"});
    EXPECT_EQ(listed.code, 0) << kind[1] << ": " << listed.errors;
    fs::remove_all(model);
  }
}

TEST_F(ModelDirectory, WhatCannotBeReadBackIsRefusedBeforeTheTraining) {
  write_text("a b\nb a\n");
  expect_error(heed(train({"--text.type", "bpe", "--text.glossaries", "a\nb"})), 2,
               "`text.glossaries` must have no line end, but glossary 1 has one");
  EXPECT_FALSE(fs::exists(model));
}

TEST_F(ModelDirectory, OfSomebodyElseChangesNothingOutsideItself) {
  write_text("a b\nb a\n");
  const std::string victim = folder.file("victim", "precious");
  fs::create_directories(model + "/source.");
  folder.file("model/manifest.json", R"({"format": 1, "files": {"source./../../victim": {"size": 9, "sha256": "x"}}})");
  expect_error(
      heed(train({})), 1,
      model + "/manifest.json: lists `source./../../victim`, which is not the name of a file in its directory");
  fs::remove_all(model);
  fs::create_directory(model);
  fs::create_symlink("../victim", model + "/metrics.jsonl");
  expect_error(
      heed(train({})), 1,
      model +
          "/metrics.jsonl: is a link, and heed writes nothing in a model directory through links: replace it by "
          "what it leads to");
  EXPECT_EQ(folder.read("victim"), "precious");
  fs::remove(model + "/metrics.jsonl");
  ASSERT_EQ(mkfifo((model + "/manifest.json").c_str(), 0600), 0);
  expect_error(heed({"translate", "--model", model}), 1,
               model + "/manifest.json: expected a regular file, found a pipe");
  EXPECT_TRUE(fs::exists(victim));
}

/// Writes a file and its record in the manifest beside it: what somebody else may have made.
void replace_file(const std::string& directory, const std::string& name, const std::string& content) {
  const std::string path = directory + "/" + name;
  write_file(path, content);
  auto manifest = nlohmann::json::parse(read_file(directory + "/manifest.json"));
  manifest["files"][name] = {{"size", content.size()}, {"sha256", sha256_of_file(path)}};
  write_file(directory + "/manifest.json", manifest.dump());
}

/// Changes a line of config.toml.
void describe_otherwise(const std::string& model, const std::string& line, const std::string& other) {
  std::string settings = read_file(model + "/config.toml");
  const size_t at = settings.find("\n" + line + "\n");
  ASSERT_NE(at, std::string::npos) << line;
  replace_file(model, "config.toml", settings.replace(at + 1, line.size(), other));
}

/// config.toml with former names of options, but for those whose section is another now.
std::string with_former_keys(const std::string& toml) {
  std::istringstream lines(toml);
  std::string section, text;
  for (std::string line; std::getline(lines, line); text += line + "\n") {
    if (line.starts_with('[')) section = line.substr(1, line.size() - 2) + ".";
    const size_t key = line.find(' ');
    const std::vector<std::string_view> former = config::former_names(section + line.substr(0, key));
    if (!former.empty() && former[0].starts_with(section)) line.replace(0, key, former[0].substr(section.size()));
  }
  return text;
}

std::string with_former_names(std::string text) {
  for (const auto& [former, present] : config::all_former_names()) {
    const size_t at = text.find(std::string(present) + " ");
    if (at != std::string::npos) text.replace(at, present.size(), former);
  }
  return text;
}

TEST_F(ModelDirectory, ThatHasFormerNamesOfOptionsIsResumedAsIfItHadThePresentOnes) {
  write_text("a b c\nb a\nc a b\nb\n");
  const Words options = train({"--text.type", "words", "--data.batch-tokens", "6", "--valid-source", folder.path("s"),
                               "--valid-target", folder.path("t"), "--valid.every", "4"});
  ASSERT_EQ(heed(options + Words{"--train.max-steps", "9"}).code, 0);
  const std::string whole = read_file(model + "/model.safetensors");
  fs::remove_all(model);
  ASSERT_EQ(heed(options + Words{"--train.max-steps", "5"}).code, 0);

  const std::string toml = with_former_keys(read_file(model + "/config.toml"));
  for (const std::string key : {"max-updates = 5", "update-tokens = 6", "read-ahead = ", "parts = "}) {
    EXPECT_NE(toml.find("\n" + key), std::string::npos) << key << " in " << toml;
  }
  replace_file(model, "config.toml", toml);
  for (const auto& checkpoint : fs::directory_iterator(model + "/checkpoints")) {
    auto state = nlohmann::json::parse(read_file(checkpoint.path() / "state.json"));
    for (auto& terms : state["terms"]) terms = with_former_names(terms);
    EXPECT_NE(state.dump().find("data.update-tokens 6"), std::string::npos) << state;
    replace_file(checkpoint.path(), "state.json", state.dump());
  }

  const Result resumed = heed({"train", "--model", model, "--train.max-updates", "9"});
  EXPECT_EQ(resumed.code, 0) << resumed.errors;
  const size_t change = resumed.errors.find("from step 5 on: train.max-steps 9 (was 5)\n");
  EXPECT_NE(change, std::string::npos) << resumed.errors;
  EXPECT_EQ(resumed.errors.rfind("from step"), change) << resumed.errors;
  EXPECT_EQ(read_file(model + "/model.safetensors"), whole);
  EXPECT_NE(read_file(model + "/config.toml").find("max-steps = 9"), std::string::npos);
}

/// Without torch and with it, and what begins with the model.
std::vector<Words> uses_of(const std::string& model, const std::string& s, const std::string& t) {
  return {{"translate", "--model", model},
          {"translate", "--model", model, "--checkpoint", "last"},
          {"score", "--model", model, "--source", s, "--target", t},
          {"align", "--model", model, "--source", s, "--target", t},
          {"export", "--to", "ctranslate2", "--model", model, "--output", model + "-exported"},
          {"train", "--from", model, "--source", s, "--target", t, "--model", model + "-tuned"}};
}

TEST_F(ModelDirectory, WhoseOptionsClaimMoreMemoryThanItsParametersIsRefused) {
  write_text("a b\nb a\n");
  ASSERT_EQ(heed(train({"--text.type", "words", "--train.max-steps", "1"})).code, 0);
  describe_otherwise(model, "d-model = 16", "d-model = 1000000");
  for (const Words& use : uses_of(model, folder.path("s"), folder.path("t"))) {
    const Result result = heed(use, "a b\n");
    EXPECT_EQ(result.code, 1) << use[0];
    const bool names_tensor = result.errors.ends_with(", 1000000]\n");  // the engine compares each before it packs it
    const bool names_options = result.errors.ends_with("/config.toml describes takes more than twice as many\n");
    EXPECT_TRUE(names_tensor || names_options) << use[0] << ": " << result.errors;
  }
  const Result resumed = heed({"train", "--model", model, "--train.max-steps", "2"});
  EXPECT_EQ(resumed.code, 1);
  EXPECT_NE(resumed.errors.find("heed: " + model + "/checkpoints: has "), std::string::npos) << resumed.errors;
}

TEST_F(ModelDirectory, WhoseOptionsClaimMoreMemoryThanItsParametersIsRefusedHoweverSmallTheseAre) {
  write_text("a b\nb a\n");
  ASSERT_EQ(heed(train({"--text.type", "words", "--train.max-steps", "1"})).code, 0);
  for (const auto& entry : fs::recursive_directory_iterator(model + "/checkpoints")) {
    if (entry.is_regular_file()) fs::resize_file(entry, 100);
  }
  fs::resize_file(model + "/model.safetensors", 100);
  describe_otherwise(model, "d-model = 16", "d-model = 1000000");
  const Result resumed = heed({"train", "--model", model, "--train.max-steps", "2"});
  EXPECT_EQ(resumed.code, 1);
  EXPECT_NE(resumed.errors.find("heed: " + model + "/checkpoints: has "), std::string::npos) << resumed.errors;
  EXPECT_TRUE(resumed.errors.ends_with("/config.toml describes takes more than twice as many\n")) << resumed.errors;
  const Result tuned = heed({"train", "--from", model, "--source", folder.path("s"), "--target", folder.path("t"),
                             "--model", model + "-tuned"});
  EXPECT_TRUE(tuned.errors.ends_with("/config.toml describes takes more than twice as many\n")) << tuned.errors;
}

TEST_F(ModelDirectory, WhoseOptionsContradictEachOtherIsRefused) {
  write_text("a b\nb a\n");
  ASSERT_EQ(heed(train({"--text.type", "words", "--train.max-steps", "1"})).code, 0);
  describe_otherwise(model, "heads = 2", "heads = 3");
  for (const Words& use : uses_of(model, folder.path("s"), folder.path("t"))) {
    if (use[0] == "train") continue;  // which looks at its own options first
    const std::string file = model + "/config.toml";
    expect_error(heed(use, "a b\n"), 1, file + ": `arch.encoder.heads` must divide arch.d-model (16), found 3");
  }
}

TEST_F(ModelDirectory, ATrainingWhoseDirectoryIsMovedStops) {
  write_text("a b\nb a\n");
  Program training(endless());
  wait_for_checkpoint(training);
  fs::rename(model, folder.path("moved"));
  const Result result = training.wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("heed: " + model + ": was moved or removed during the training"), std::string::npos)
      << result.errors;
  EXPECT_FALSE(fs::exists(model));
  Words resume = endless();
  *std::ranges::find(resume, model) = folder.path("moved");
  const auto history = folder.path("moved/metrics.jsonl");
  const auto before = fs::file_size(history);
  Program resumed(resume);
  while (resumed.running() && fs::file_size(history) == before) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  resumed.signal(SIGINT);
  EXPECT_EQ(resumed.wait().code, kInterrupted);
}

TEST_F(ModelDirectory, AFileThatIsCutOffUnderATrainingIsNamed) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a b c d e f g " + std::to_string(i % 7) + "\n";
  write_text(text);
  Program training(endless());
  wait_for_checkpoint(training);
  fs::resize_file(model + "/train.corpus.0", 100);
  const Result result = training.wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(result.errors.ends_with("heed: " + model +
                                      "/train.corpus.0: was truncated while it was in use, or its disk "
                                      "cannot be read\n"))
      << result.errors;
}

TEST_F(ModelDirectory, ReadersFindAWholeModelWhileATrainingPublishes) {
  write_text("a b\nb a\n");
  Program training(endless() + Words{"--valid-source", folder.path("s"), "--valid-target", folder.path("t"),
                                     "--valid.metric", "loss", "--valid.patience", "0", "--valid.translate", "none",
                                     "--train.average", "none"});
  while (training.running() && !fs::exists(model + "/model.safetensors")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (int i = 0; i < 5; ++i) {
    for (const Words& more : {Words{}, Words{"--checkpoint", "last"}}) {
      const Result result = heed(Words{"translate", "--model", model, "--threads", "1"} + more, "a b\n");
      EXPECT_EQ(result.code, 0) << result.errors;
    }
  }
  training.signal(SIGINT);
  EXPECT_EQ(training.wait().code, kInterrupted);
}

}  // namespace
}  // namespace heed::end_to_end
