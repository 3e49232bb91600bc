// What a training leaves that cannot begin: nothing.
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
                     "--train.max-updates",
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

}  // namespace
}  // namespace heed::end_to_end
