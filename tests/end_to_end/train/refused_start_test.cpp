// What a training leaves that cannot begin: nothing. And where a training that goes on finds its text.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"

namespace heed::end_to_end {
namespace {

namespace fs = std::filesystem;

class TrainingStart : public ::testing::Test {
 protected:
  TrainingStart() {
    write_numbers(folder, "train", {"one", "two", "three"}, 20);
    write_numbers(folder, "valid", {"one", "two"}, 3);
  }
  Result start(const Words& options, const std::string& from = "") const {
    const Words tiny{"--arch.d-model",
                     "8",
                     "--arch.encoder.layers",
                     "1",
                     "--arch.decoder.layers",
                     "1",
                     "--train.schedule.warmup",
                     "1",
                     "--train.max-steps",
                     "2",
                     "--threads",
                     "1"};
    return heed(Words{"train"} + options + tiny, "", {.folder = from.empty() ? folder.path("") : from});
  }
  static Words text(const std::string& source, const std::string& target) {
    return {"--source", source, "--target", target, "--model", "new/er/m", "--text.type", "words"};
  }

  Folder folder;
};

TEST_F(TrainingStart, ThatIsRefusedLeavesNoFolder) {
  folder.file("short", "one\n");
  folder.file("blank", std::string(20, '\n'));
  folder.file("labels", "A B C D E F G\n" + std::string(38, 'A'));
  folder.file("bytes", "a\xff\n");
  const Words good = text("train.en", "train.de");
  const std::vector<Words> refused{
      text("none", "train.de"),
      text("train.en", "short"),
      text("bytes", "short"),
      text("blank", "blank"),
      good + Words{"--valid-source", "valid.en", "--valid-target", "train.de"},
      good + Words{"--valid-source", "short", "--valid-target", "bytes"},
      good + Words{"--data.max-source-length", "1", "--data.max-target-length", "1"},
      good + Words{"--vectors.source", "none"},
      good + Words{"--from", "none"},
      {"--source", "train.en", "--target", "train.de", "--model", "new/er/m", "--text.vocab-size", "5"},
      {"--task", "labelling", "--source", "train.en", "--target", "labels", "--model", "new/er/m"},
      {"--task", "regression", "--source", "train.en", "--target", "train.de", "--model", "new/er/m"},
      {"--pairs", "train.en", "--model", "new/er/m", "--data.shuffle-buffer", "10"}};
  for (const Words& options : refused) {
    const Result result = start(options);
    EXPECT_GT(result.code, 0);
    EXPECT_FALSE(fs::exists(folder.path("new"))) << result.errors;
    fs::create_directories(folder.path("new/er/m"));
    start(options);
    EXPECT_TRUE(fs::is_empty(folder.path("new/er/m"))) << result.errors;
    fs::remove_all(folder.path("new"));
  }
}

TEST_F(TrainingStart, GoesOnFromAnotherFolder) {
  const Words given{"--source",       "train.en", "--target",    "train.de", "--valid-source", "valid.en",
                    "--valid-target", "valid.de", "--text.type", "words",    "--model",        "m"};
  ASSERT_EQ(start(given).code, 0);
  const std::string elsewhere = folder.path("elsewhere");
  fs::create_directories(elsewhere);
  const auto resume = [&](const std::string& steps) {
    return heed({"train", "--model", "../m", "--train.max-steps", steps}, "", {.folder = elsewhere});
  };
  const Result found = resume("3");
  EXPECT_EQ(found.code, 0) << found.errors;
  const std::string there = fs::canonical(folder.path(""));
  const std::string name = there.ends_with('/') ? there.substr(0, there.size() - 1) : there;
  EXPECT_TRUE(found.errors.starts_with("heed: reads train.en, train.de, valid.en and valid.de from " + name +
                                       ", where the training was started\n"))
      << found.errors;
  const Result again = resume("4");
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(again.errors.find("where the training was started"), std::string::npos) << "the whole paths are saved now";
}

TEST_F(TrainingStart, NamesBothFoldersIfTheTextIsInNeither) {
  ASSERT_EQ(start({"--source", "train.en", "--target", "train.de", "--text.type", "words", "--model", "a model"}).code,
            0);
  const std::string elsewhere = folder.path("elsewhere"), here = fs::canonical(folder.path("."));
  fs::create_directories(elsewhere);
  fs::rename(folder.path("train.de"), elsewhere + "/moved.de");
  const Result lost = heed({"train", "--model", "../a model", "--train.max-steps", "3"}, "", {.folder = elsewhere});
  expect_error(
      lost, 1,
      "train.de: this file does not exist; ../a model/config.toml names it as `target` and was looked for in " + here +
          "/elsewhere, the current folder, and in " + here +
          ", where the training was started; to name another place: `heed train --model '../a model' --target FILE`");
  const Result named = heed({"train", "--model", "../a model", "--target", "moved.de", "--train.max-steps", "3"}, "",
                            {.folder = elsewhere});
  EXPECT_EQ(named.code, 0) << named.errors;
  EXPECT_NE(named.errors.find("heed translate --model '../a model' < your-text"), std::string::npos) << named.errors;
}

TEST_F(TrainingStart, CopiesOfStandardInputMoveWithTheDirectory) {
  const Words words{"--text.type",           "words", "--arch.d-model", "8", "--arch.encoder.layers",   "1",
                    "--arch.decoder.layers", "1",     "--threads",      "1", "--train.schedule.warmup", "1"};
  const Words begin{"train", "--pairs", "-", "--model", "m", "--train.max-steps", "2"};
  ASSERT_EQ(heed(begin + words, "a\tb\nb\ta\n", {.folder = folder.path("")}).code, 0);
  fs::create_directories(folder.path("elsewhere"));
  fs::rename(folder.path("m"), folder.path("elsewhere/n"));
  const Result moved =
      heed({"train", "--model", "n", "--train.max-steps", "3"}, "", {.folder = folder.path("elsewhere")});
  EXPECT_EQ(moved.code, 0) << moved.errors;
}

}  // namespace
}  // namespace heed::end_to_end
