// What a model directory holds must be readable whatever the text is, and may come from anybody.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "end_to_end/programs.h"

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
  /// A training that saves a checkpoint after each of its many updates.
  Words endless() const {
    return train({"--text.type", "words", "--train.max-updates", "1000000", "--valid.every", "1"});
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
    const Result first = heed(train(kind + Words{"--train.max-updates", "1"}));
    ASSERT_EQ(first.code, 0) << kind[1] << ": " << first.errors;
    const Result resumed = heed(train(kind + Words{"--train.max-updates", "2"}));
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
