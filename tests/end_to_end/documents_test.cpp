// The completions and manual pages that heed makes, read by the shells and by man's own programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

bool exists(const std::string& program) {
  return std::system(fmt::format("command -v {} > /dev/null", program).c_str()) == 0;
}

/// What a command of the shell prints, errors too, in lines.
Words run(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
    text.append(buffer.data(), count);
  }
  return lines_of(text);
}

/// A shell with heed's completions.
class Completion : public ::testing::Test {
 protected:
  std::string script(const std::string& shell) {
    const Result made = heed({"completion", shell});
    EXPECT_EQ(made.code, 0) << made.errors;
    return folder_.file(shell, made.output);
  }
  /// Sorted.
  Words in_bash(const Words& words) {
    return run_script(
        "bash --norc", "bash",
        fmt::format("source {}; COMP_WORDS=({}); COMP_CWORD={}; _heed; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                    script("bash"), joined(words), words.size() - 1));
  }
  Words in_zsh(const Words& words) {
    return run_script("zsh -f", "zsh",
                      fmt::format(R"(compdef() {{ }}
_describe() {{ local -a all=("${{(@P)@[-1]}}"); print -l -- "${{(@)all%%:*}}" }}
compadd() {{ print -l -- "${{(@P)2}}" }}
_files() {{ print files }}
source {}
words=({}) CURRENT={}
_heed)",
                                  script("zsh"), joined(words), words.size()));
  }
  Words in_fish(const Words& words) {
    return run_script("fish --no-config", "fish",
                      fmt::format("source {}; complete -C '{}' | string replace -r '\\t.*' ''", script("fish"),
                                  fmt::format("{}", fmt::join(words, " "))));
  }

 private:
  static std::string joined(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += fmt::format("'{}' ", word);
    return text;
  }
  Words run_script(const std::string& shell, const std::string& name, const std::string& text) {
    Words found = run(fmt::format("{} {}", shell, folder_.file(name + ".test", text)));
    std::ranges::sort(found);
    return found;
  }
  Folder folder_;
};

/// The same in every shell, which `complete` asks; a word that begins some of the words, or all of them.
template <class Complete>
void expect_completions(const Complete& complete) {
  const auto begins_with = [](const Words& words, const std::string& beginning) {
    Words found;
    std::ranges::copy_if(words, std::back_inserter(found),
                         [&](const std::string& word) { return word.starts_with(beginning); });
    return found;
  };
  EXPECT_EQ(begins_with(complete({"heed", "tr"}), "tr"), (Words{"train", "translate"}));
  EXPECT_EQ(complete({"heed", "bpe", ""}), (Words{"apply", "learn", "learn-joint", "vocabulary"}));
  EXPECT_EQ(begins_with(complete({"heed", "translate", "--search.length-"}), "--search.length-"),
            (Words{"--search.length-alpha", "--search.length-penalty"}));
  EXPECT_EQ(begins_with(complete({"heed", "bpe", "apply", "--vocabulary-"}), "--vocabulary-"),
            (Words{"--vocabulary-threshold"}));
  EXPECT_EQ(complete({"heed", "train", "--model", "m", "--train.optimizer.type", ""}),
            (Words{"adadelta", "adafactor", "adagrad", "adam", "adamw", "muon", "schedule-free", "sgd"}));
}

TEST_F(Completion, InBash) {
  if (!exists("bash")) GTEST_SKIP() << "no bash";
  expect_completions([&](const Words& words) { return in_bash(words); });
  // bash has the = of --name=value as a word of its own
  EXPECT_EQ(in_bash({"heed", "train", "--train.optimizer.type", "=", "ada"}),
            (Words{"adadelta", "adafactor", "adagrad", "adam", "adamw"}));
  EXPECT_EQ(in_bash({"heed", "train", "--model", "m", "--source", "x"}), Words{""}) << "files are bash's own";
}

TEST_F(Completion, InZsh) {
  if (!exists("zsh")) GTEST_SKIP() << "no zsh";
  expect_completions([&](const Words& words) { return in_zsh(words); });
  EXPECT_EQ(in_zsh({"heed", "train", "--source", "x"}), Words{"files"});
}

TEST_F(Completion, InFish) {
  if (!exists("fish")) GTEST_SKIP() << "no fish";
  expect_completions([&](const Words& words) { return in_fish(words); });
}

TEST(ManPages, AreOfEveryCommandAndWhatManReads) {
  const Folder folder;
  const std::string pages = folder.path("man1");
  const Result made = heed({"man-pages", "--output", pages});
  ASSERT_EQ(made.code, 0) << made.errors;
  const std::string train = folder.read("man1/heed-train.1");
  EXPECT_TRUE(train.starts_with(".TH \"HEED\\-TRAIN\" 1 ")) << train.substr(0, 80);
  EXPECT_NE(train.find("\\fB\\-\\-train.optimizer.type NAME\\fR\n"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path("man1/heed-bpe-learn-joint.1")));
  const std::string program = folder.read("man1/heed.1");
  for (const auto& page : std::filesystem::directory_iterator(pages)) {
    const std::string name = page.path().stem();
    std::string shown;
    for (const char letter : name) shown += letter == '-' ? std::string("\\-") : std::string(1, letter);
    EXPECT_NE(program.find(name == "heed" ? shown : fmt::format(".BR {} (1)", shown)), std::string::npos) << name;
  }
}

TEST(ManPages, AreValid) {
  if (!exists("mandoc")) GTEST_SKIP() << "no mandoc";
  const Folder folder;
  const std::string pages = folder.path("man1");
  ASSERT_EQ(heed({"man-pages", "--output", pages}).code, 0);
  for (const auto& page : std::filesystem::directory_iterator(pages)) {
    EXPECT_EQ(run(fmt::format("mandoc -T lint -W error {}", page.path().string())), Words{}) << page.path();
  }
}

TEST(ManPages, DescribeTheOptionsOfEveryCommandAsJson) {
  const Folder folder;
  ASSERT_EQ(heed({"man-pages", "--output", folder.path("json"), "--format", "json"}).code, 0);
  const auto described = nlohmann::json::parse(folder.read("json/commands.json"));
  std::map<std::string, nlohmann::json> of_train;
  std::set<std::string> commands;
  for (const auto& command : described["commands"]) {
    commands.insert(command["name"]);
    if (command["name"] != "train") continue;
    for (const auto& option : command["options"]) of_train[option["name"]] = option;
  }
  EXPECT_TRUE(commands.contains("bpe learn-joint") && commands.contains("man-pages"));
  const auto& width = of_train["arch.d-model"];
  EXPECT_EQ(width["kind"], "whole number");
  EXPECT_EQ(width["presets"]["transformer-tiny"], "128");
  EXPECT_EQ(width["presets"]["transformer-base"], "512");
  const auto& cell = of_train["arch.encoder.cell"];
  EXPECT_TRUE(cell["presets"].contains("rnn-luong"));
  EXPECT_FALSE(cell["presets"].contains("transformer-base")) << "a Transformer has no cell";
  EXPECT_EQ(of_train["data.shuffle-window"]["former-names"], nlohmann::json({"data.window"}));
}

TEST(ManPages, DescribeEveryOptionOf1_0UnderItsNameOrAsAFormerName) {
  const Folder folder;
  ASSERT_EQ(heed({"man-pages", "--output", folder.path("json"), "--format", "json"}).code, 0);
  const auto described = nlohmann::json::parse(folder.read("json/commands.json"));
  std::set<std::string> read;
  for (const auto& command : described["commands"]) {
    const std::string name = command["name"];
    for (const auto& option : command["options"]) {
      read.insert(fmt::format("{} {}", name, option["name"].get<std::string>()));
      for (const std::string former : option["former-names"]) read.insert(fmt::format("{} {}", name, former));
    }
  }
  std::ifstream promised(std::string(std::getenv("HEED_SOURCE_DIR")) + "/docs/site/options-1.0.0.txt");
  int64_t count = 0;
  for (std::string option; std::getline(promised, option); ++count) {
    EXPECT_TRUE(read.contains(option)) << option << " is not read any more";
  }
  EXPECT_GT(count, 500);
}

TEST(ManPages, NeedAFolderThatCanBeMade) {
  const Folder folder;
  const std::string file = folder.file("file", "");
  expect_error(heed({"man-pages"}), 2,
               "`--output` is missing: name the folder for the pages, such as ~/.local/share/man/man1");
  expect_error(heed({"man-pages", "--output", file + "/man1"}), 1, file + "/man1: cannot make: Not a directory");
}

}  // namespace
}  // namespace heed::end_to_end
