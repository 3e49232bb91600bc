// heed make: one command from text to a model. Kills lose nothing, wrong input leaves nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"

namespace heed::end_to_end {
namespace {

namespace fs = std::filesystem;

const Words kLetters{"ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu"};

class Make : public ::testing::Test {
 protected:
  /// 1,200 different pairs: words of a made-up language, and their syllables exchanged.
  void SetUp() override {
    std::string source, target;
    for (size_t i = 0; i < 1200; ++i) {
      std::string left, right;
      size_t number = i * 2654435761 % 3375000 + 1;
      for (size_t k = 0; k < 4 + i % 4; ++k) {
        const std::string& first = kLetters[number % kLetters.size()];
        const std::string& second = kLetters[number / 15 % kLetters.size()];
        left += (k > 0 ? " " : "") + first + second;
        right += (k > 0 ? " " : "") + second + first;
        number = number / 15 + 97 * i + k;
      }
      source += left + ".\n";
      target += right + ".\n";
    }
    folder.file("a.en", source);
    folder.file("a.de", target);
    folder.file("small.toml",
                "seed = 3\n[text]\nvocab-size = 60\n[arch]\nd-model = 32\nencoder.layers = 1\ndecoder.layers = 1\n"
                "encoder.feed-forward.hidden = 32\ndecoder.feed-forward.hidden = 32\n[train]\nmax-steps = 60\n"
                "save-every = 20\n[valid]\nevery = 30\n[data]\nbatch-tokens = 500\n");
  }

  Words input() const { return {"--source", folder.path("a.en"), "--target", folder.path("a.de")}; }
  Words command(const std::string& model) const {
    return Words{"make"} + input() + Words{"--model",  folder.path(model),       "--hours", "0.1", "--threads", "1",
                                           "--config", folder.path("small.toml")};
  }
  nlohmann::json made(const std::string& model) const {
    return nlohmann::json::parse(folder.read(model + "/make/make.json"));
  }
  /// How many stages are finished, and the names of the checkpoints.
  using Progress = std::pair<size_t, std::set<std::string>>;
  Progress progress(const std::string& model) const {
    Progress now;
    const auto record = nlohmann::json::parse(folder.read(model + "/make/make.json"), nullptr, false);
    if (record.is_object() && record.contains("stages")) now.first = record["stages"].size();
    std::error_code none_yet;
    for (const auto& entry : fs::directory_iterator(folder.path(model + "/checkpoints"), none_yet)) {
      const std::string name = entry.path().filename();
      if (!name.starts_with(".")) now.second.insert(name);
    }
    return now;
  }
  /// The command of a stage, without "heed".
  Words stage(const std::string& model, const std::string& name) const {
    Words words;
    const nlohmann::json all = made(model);
    for (const auto& record : all["stages"]) {
      if (record["name"] != name) continue;
      const std::string line = record["command"];
      for (size_t begin = 5; begin < line.size();) {
        const size_t end = std::min(line.find(' ', begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = end + 1;
      }
    }
    return words;
  }

  Folder folder;
};

TEST_F(Make, PlanDoesNothing) {
  const Result result = heed(command("m") + Words{"--plan"});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(result.output.starts_with("1,200 pairs, ")) << result.output;
  EXPECT_NE(result.output.find("      heed data filter --threads 1 --source " + folder.path("a.en")), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("small  512 wide, 6 + 6 layers: no, the text has fewer than 3,000,000 target tokens"),
            std::string::npos)
      << result.output;
  EXPECT_FALSE(fs::exists(folder.path("m")));
}

TEST_F(Make, WrongInputLeavesNothing) {
  const std::string few = folder.file("few.tsv", "a\tb\nc\td\n");
  expect_error(heed({"make", "--pairs", few, "--model", folder.path("m")}), 1,
               few +
                   ": has 2 pairs, too few to train on: at least 100 are needed, and useful models begin at about "
                   "10,000");
  expect_error(heed(Words{"make"} + input()), 2, "`--model` is missing: name the directory for the model");
  expect_error(heed({"make", "--pairs", "-", "--model", folder.path("m")}), 2,
               "`--pairs` must name files: heed make reads its text several times");
  const std::string shorter = folder.file("b.de", "a\n");
  expect_error(heed({"make", "--source", folder.path("a.en"), "--target", shorter, "--model", folder.path("m")}), 1,
               folder.path("a.en") + " has 1200 lines, " + shorter +
                   " has 1 line: line N of the one must belong to line N of the other");
  fs::create_directory(folder.path("empty"));
  expect_error(heed({"make", "--pairs", folder.path("empty"), "--model", folder.path("m")}), 2,
               "`--pairs` names " + folder.path("empty") + ", a folder without files");

  fs::create_directory(folder.path("other"));
  folder.file("other/letter.txt", "Dear\n");
  expect_error(
      heed(command("other")), 2,
      "`--model` must be a new directory, or one that heed make began; " + folder.path("other") + " has other files");
  const Result wrong = heed(command("m") + Words{"--config", folder.file("wrong.toml", "[arch]\nd-modle = 3\n")});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.errors.find("d-modle"), std::string::npos) << wrong.errors;
  EXPECT_FALSE(fs::exists(folder.path("m")));
}

TEST_F(Make, KilledItContinuesAndMakesTheSameModel) {
  int kills = 0;
  std::string scores;
  for (bool finished = false; !finished; ++kills) {
    const Progress before = progress("m");
    Program program(command("m"));
    while (program.running() && progress("m") == before) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    // In the next stage, or before the next checkpoint: each time a little later.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kills * 137 % 400);
    while (program.running() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    finished = !program.running();
    if (!finished) program.signal(kills % 2 == 0 ? SIGKILL : SIGTERM);
    const Result result = program.wait();
    if (!finished) continue;
    ASSERT_EQ(result.code, 0) << result.errors;
    scores = result.output;
  }
  EXPECT_GT(kills, 3);
  EXPECT_TRUE(scores.starts_with("BLEU|")) << scores;
  Words names;
  const nlohmann::json done = made("m");
  for (const auto& record : done["stages"]) names.push_back(record["name"]);
  EXPECT_EQ(names.front(), "report");
  EXPECT_EQ(std::ranges::count(names, "training"), 1);
  Words sorted = names;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end()) << "a stage was done twice";

  // The printed command of the training gives the same model when nothing interrupts it.
  Words training = stage("m", "training");
  ASSERT_FALSE(training.empty());
  *(std::ranges::find(training, "--model") + 1) = folder.path("again");
  const Result again = heed(training);
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(folder.read("again/model.safetensors"), folder.read("m/model.safetensors"));

  const Result translated = heed({"translate", "--model", folder.path("m")}, "bace difo.\n");
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_NE(folder.read("m/make.html").find("What more text or time would bring"), std::string::npos);
  const std::string before = folder.read("m/make/make.json");
  const Result once_more = heed(command("m"));
  EXPECT_EQ(once_more.code, 0) << once_more.errors;
  EXPECT_EQ(once_more.output, scores);
  EXPECT_EQ(folder.read("m/make/make.json"), before);

  expect_error(heed(command("m") + Words{"--hours", "0.03"}), 2,
               folder.path("m") +
                   " was begun with other options that must stay: `--hours` (was 0.1, is 0.03); use another directory "
                   "for a new model");
  folder.file("a.en", folder.read("a.en") + "new line\n");
  folder.file("a.de", folder.read("a.de") + "neue Zeile\n");
  expect_error(heed(command("m")), 2,
               folder.path("m") +
                   " was begun with other options that must stay: the text (its content has changed); "
                   "use another directory for a new model");
}

}  // namespace
}  // namespace heed::end_to_end
