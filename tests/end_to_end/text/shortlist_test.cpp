// A model's shortlist: learned from its corpus, used by `heed translate`.
#include <gtest/gtest.h>

#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

class ShortList : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Folder;
    std::string english, german;
    for (int i = 0; i < 60; ++i) {
      const std::string noun = i % 3 == 0 ? "cat" : i % 3 == 1 ? "dog" : "house";
      const std::string nomen = i % 3 == 0 ? "Katze" : i % 3 == 1 ? "Hund" : "Haus";
      const std::string verb = i % 2 == 0 ? "sleeps" : "stands", wort = i % 2 == 0 ? "schläft" : "steht";
      english += "the " + noun + ' ' + verb + '\n';
      german += nomen + ' ' + wort + '\n';
    }
    folder->file("train.en", english);
    folder->file("train.de", german);
    trained = heed({"train", "--source", folder->path("train.en"), "--target", folder->path("train.de"), "--model",
                    model(), "--text.type", "words", "--arch.d-model", "16", "--arch.encoder.layers", "1",
                    "--arch.decoder.layers", "1", "--train.max-steps", "3", "--threads", "1"});
  }
  static void TearDownTestSuite() { delete folder; }
  static std::string model() { return folder->path("model"); }
  static std::string file() { return model() + "/shortlist.safetensors"; }
  static Result make(const Words& options = {}) {
    Words command{"shortlist", "--model", model()};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command);
  }
  static Result translate(const Words& options = {}) {
    Words command{"translate", "--model", model(), "--threads", "1"};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command, "the cat sleeps\n\nthe house stands\nunseen\n");
  }

  static Folder* folder;
  static Result trained;
};
Folder* ShortList::folder = nullptr;
Result ShortList::trained;

TEST_F(ShortList, IsLearnedAndUsed) {
  ASSERT_EQ(trained.code, 0) << trained.errors;
  std::filesystem::remove(file());
  expect_error(translate({"--shortlist"}), 2,
               "`--shortlist` needs a shortlist, which " + model() + " does not have: `heed shortlist --model " +
                   model() + "` makes one");
  const Result made = make({"--translations", "1", "--frequent", "1"});
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_NE(made.errors.find("learning translations of tokens from 60 pairs"), std::string::npos) << made.errors;
  const Result listed = translate({"--shortlist"});
  ASSERT_EQ(listed.code, 0) << listed.errors;
  const Words lines = lines_of(listed.output);
  ASSERT_EQ(lines.size(), 4U);
  for (const std::string word : {"Hund", "steht"}) {
    EXPECT_EQ(lines[0].find(word), std::string::npos) << "which translates no word of the cat sleeps: " << lines[0];
  }
  EXPECT_EQ(lines[1], "");
}

TEST_F(ShortList, ItsOptionsChangeIt) {
  ASSERT_EQ(make({"--translations", "1", "--frequent", "1"}).code, 0);
  std::string before = folder->read("model/shortlist.safetensors");
  for (const Words& options :
       {Words{"--translations", "2", "--frequent", "1"}, Words{"--translations", "2", "--frequent", "2"},
        Words{"--translations", "2", "--frequent", "2", "--pairs", "3"}}) {
    ASSERT_EQ(make(options).code, 0);
    const std::string after = folder->read("model/shortlist.safetensors");
    EXPECT_NE(after, before) << options.back();
    before = after;
  }
  const Result once = make({"--iterations", "1"});
  EXPECT_NE(once.errors.find("iteration 1 of 1"), std::string::npos) << once.errors;
  EXPECT_EQ(once.errors.find("iteration 2"), std::string::npos) << once.errors;
}

TEST_F(ShortList, IsPartOfTheModel) {
  ASSERT_EQ(make().code, 0);
  folder->file("model/shortlist.safetensors", "something else");
  const Result result = translate();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("shortlist.safetensors"), std::string::npos) << result.errors;
  ASSERT_EQ(make().code, 0) << "anew";
  EXPECT_EQ(translate({"--shortlist"}).code, 0);
}

TEST_F(ShortList, SettlesWhatAFailedOneLeft) {
  ASSERT_EQ(make().code, 0);
  const std::string whole = folder->read("model/manifest.json");
  auto manifest = nlohmann::json::parse(whole);
  manifest["pending"]["shortlist.safetensors"] = {{"size", 1}, {"sha256", "00"}};
  folder->file("model/manifest.json", manifest.dump());
  ASSERT_EQ(make().code, 0);
  EXPECT_EQ(folder->read("model/manifest.json"), whole);
}

TEST_F(ShortList, IsNotMadeWhereATrainingRuns) {
  const int lock = open((model() + "/.lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  expect_error(make(), 1, model() + ": another training is running in this directory");
  close(lock);
  EXPECT_EQ(make().code, 0);
}

/// The verbs take turns: every second line has the first of them alone.
TEST_F(ShortList, OfALargeCorpusEveryNthPairIsTaken) {
  ASSERT_EQ(make({"--pairs", "60"}).code, 0);
  const size_t all = folder->read("model/shortlist.safetensors").size();
  ASSERT_EQ(make({"--pairs", "30"}).code, 0);
  EXPECT_LT(folder->read("model/shortlist.safetensors").size(), all);
}

TEST_F(ShortList, IsNotMadeOfADamagedModel) {
  const std::string copy = folder->path("damaged");
  std::filesystem::copy(model(), copy, std::filesystem::copy_options::recursive);
  folder->file("damaged/target.words", folder->read("damaged/target.words") + "mehr\n");
  const Result refused = heed({"shortlist", "--model", copy});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(refused.errors.starts_with("heed: " + copy + "/target.words")) << refused.errors;
}

TEST_F(ShortList, NeedsTheEngineAndTheCorpus) {
  expect_error(translate({"--shortlist", "--ensemble", model()}), 2, "`--shortlist` does not go with `--ensemble`");
  expect_error(translate({"--shortlist", "--search.method", "sample"}), 2,
               "`--shortlist` needs beam search: tokens are sampled from the whole vocabulary; `search.method` is "
               "sample");
  expect_error(heed({"shortlist"}), 2, "`--model` is missing: name the directory that `heed train` made");
}

}  // namespace
}  // namespace heed::end_to_end
