// What every user meets first: versions, help, wrong commands, and how fast they answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "end_to_end/programs.h"
#include "heed/command_line/former_names.h"
#include "heed/command_line/toolkit_names.h"

namespace heed::end_to_end {
namespace {

double seconds_of(const std::vector<std::string>& arguments) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(heed(arguments).code, 0);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

TEST(Start, HeedLinksNeitherTorchNorAWebServer) {
  std::ostringstream program;
  program << std::ifstream(heed_path(), std::ios::binary).rdbuf();
  ASSERT_GT(program.str().size(), 10000u);
  EXPECT_EQ(program.str().find("libtorch"), std::string::npos);
  EXPECT_EQ(program.str().find("libc10"), std::string::npos);
  EXPECT_EQ(program.str().find("libmicrohttpd"), std::string::npos) << "it takes time to load";
}

TEST(Start, VersionHelpAndEvaluateStartInThirtyMilliseconds) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "programs watched by a sanitizer start more slowly";
#endif
  const Folder folder;
  const std::string text = folder.file("a", "the cat sat on the mat\n");
  EXPECT_LT(seconds_of({"--version"}), 0.03);
  EXPECT_LT(seconds_of({"help"}), 0.03);
  EXPECT_LT(seconds_of({"evaluate", "--reference", text, text}), 0.03);
}

TEST(Start, VersionAndCommitAreOneLine) {
  const Result result = heed({"--version"});
  EXPECT_EQ(result.code, 0);
  const std::regex without_git(R"(heed 1\.1\.0-dev\n)"), with_git(R"(heed 1\.1\.0-dev \([0-9a-f]{7,40}(-dirty)?\)\n)");
  const bool in_git = std::filesystem::exists(std::string(std::getenv("HEED_SOURCE_DIR")) + "/.git");
  EXPECT_TRUE(std::regex_match(result.output, in_git ? with_git : without_git)) << result.output;
  EXPECT_EQ(result.errors, "");
}

TEST(Start, HelpShowsTheCommandsAndTheFirstSteps) {
  const Result result = heed({"help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.errors, "");
  for (const std::string command : {"heed train ", "heed translate ", "heed evaluate ", "heed score "}) {
    EXPECT_NE(result.output.find(command), std::string::npos) << command;
  }
  EXPECT_EQ(heed({"--help"}).output, result.output);
  EXPECT_EQ(heed({"-h"}).output, result.output);
  EXPECT_EQ(heed({"help", "help"}).output, result.output);
  for (const std::string& line : lines_of(result.output)) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Start, HelpOnACommandIsTheCommandsOwn) {
  for (const std::string command : {"train", "translate", "evaluate", "score", "align"}) {
    const Result own = heed({command, "--help"});
    EXPECT_EQ(own.code, 0);
    EXPECT_TRUE(own.output.starts_with("usage: heed " + command + " ")) << own.output;
    EXPECT_NE(own.output.find("\nExamples:\n"), std::string::npos);
    EXPECT_EQ(own.errors, "");
    EXPECT_EQ(heed({"help", command}).output, own.output);
  }
}

TEST(Start, WrongCommandsAreUsageErrors) {
  expect_error(
      heed({}), 2,
      "`heed` needs a command: make, train, translate, serve, evaluate, report, watch, predict, score, rerank, distill, align, average, pack, import, "
      "export, generate, data, tokenize, embeddings, bpe, shortlist, spm, doctor, completion or man-pages; `heed --help` shows the first steps");
  const std::string message =
      "`trian` is not a command of `heed`; did you mean `train`? The commands are make, train, translate, serve, evaluate, report, watch, predict, score, rerank, distill, align, average, "
      "pack, import, export, generate, data, tokenize, embeddings, bpe, shortlist, spm, doctor, completion and man-pages";
  expect_error(heed({"trian"}), 2, message);
  expect_error(heed({"help", "trian"}), 2, message);
  EXPECT_NE(heed({"decode"}).errors.find("`decode` is not a command of `heed`, which are make, "), std::string::npos);
}

TEST(Start, OutputThatCannotBeWrittenIsAnError) {
  const Result result = Program({"help"}, "", "/dev/full").wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.errors, "heed: standard output: cannot write: No space left on device\n");
}

/// The names of all options of the commands that peers have too.
std::set<std::string> names_of_options() {
  std::set<std::string> names;
  const std::regex option(R"(\n  (?:-\w, )?--([a-z0-9.-]+))");
  const std::regex of_both_sides(R"(\n  --arch\.\{encoder,decoder\}\.([a-z0-9.-]+))");
  for (const std::string command : {"train", "translate", "evaluate", "score"}) {
    const std::string help = heed({command, "--help-all"}).output;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) names.insert((*at)[1]);
    for (std::sregex_iterator at(help.begin(), help.end(), of_both_sides), end; at != end; ++at) {
      for (const std::string side : {"encoder", "decoder"}) names.insert("arch." + side + "." + (*at)[1].str());
    }
  }
  return names;
}

TEST(Start, OptionsOfPeersLeadToThoseOfHeed) {
  const auto meant = [](const std::string& option) {
    return heed({"translate", "--model", "m", "--" + option, "x"}).errors;
  };
  const auto advice = [](const std::string& option, const std::string& ours) {
    return "heed: `--" + option + "` is not an option; did you mean `--" + ours + "`?\n";
  };
  for (const auto& [theirs, ours] : std::map<std::string, std::string>{{"glossary", "terminology"},
                                                                       {"constraints", "terminology"},
                                                                       {"num_beams", "search.beam"},
                                                                       {"replace-unk", "replace-unknown"},
                                                                       {"bad-words", "forbid"}}) {
    EXPECT_EQ(meant(theirs), advice(theirs, ours));
  }
}

TEST(Start, NamesTheOptionThatAnArgumentWithoutOneBelongsTo) {
  const auto error = [](const Words& words) { return heed(words).errors; };
  EXPECT_EQ(error({"translate", "--model", "m", "office.en"}),
            "heed: `office.en` has no option name: write `--input office.en`\n");
  EXPECT_EQ(error({"tokenize", "office.en"}), "heed: `office.en` has no option name: write `--input office.en`\n");
  EXPECT_EQ(error({"pack", "models/m"}), "heed: `models/m` has no option name: write `--model models/m`\n");
  EXPECT_EQ(error({"serve", "models/m"}), "heed: `models/m` has no option name: write `--model models/m`\n");
  EXPECT_EQ(error({"pack", "--model", "m", "b"}), "heed: `b` has no option name: write `--NAME b`\n")
      << "the model is given";
  EXPECT_EQ(error({"data", "report", "a.en"}), "heed: `a.en` has no option name: write `--NAME a.en`\n")
      << "there are two sides";
}

TEST(Start, ModelsThatNeedNoOptionNameAreNamedPlainly) {
  EXPECT_EQ(heed({"watch", "--model", "m"}).errors, "heed: `--model` is not an option: write `heed watch DIR`\n");
  EXPECT_EQ(heed({"report", "--model=m"}).errors, "heed: `--model` is not an option: write `heed report DIR`\n");
}

TEST(Start, HoursOfATrainingAreGivenInMinutes) {
  const std::string advice = "heed: `--hours` is not an option; did you mean `--train.max-minutes";
  EXPECT_EQ(heed({"train", "--hours", "1"}).errors, advice + " 60`?\n");
  EXPECT_EQ(heed({"train", "--hours=0.5"}).errors, advice + " 30`?\n");
  EXPECT_EQ(heed({"train", "--hours"}).errors, advice + "`?\n");
}

TEST(Help, HasEveryOptionThatANameOfAPeerOrAFormerNameLeadsTo) {
  const std::set<std::string> names = names_of_options();
  EXPECT_GT(names.size(), 150u);
  for (const auto& [theirs, ours, unit] : config::all_peer_names()) {
    EXPECT_GE(unit, 0) << theirs;
    EXPECT_TRUE(names.contains(std::string(ours))) << theirs << " leads to " << ours;
    EXPECT_FALSE(names.contains(std::string(theirs)) && theirs == ours) << theirs << " is heed's own name";
  }
  for (const auto& [former, present] : config::all_former_names()) {
    EXPECT_TRUE(names.contains(std::string(present))) << former << " leads to " << present;
    EXPECT_FALSE(names.contains(std::string(former))) << former << " is an option again";
  }
}

TEST(Start, TakesFormerNamesOfOptionsAndShowsThePresentOnes) {
  expect_error(
      heed({"train", "--train.max-updates", "many"}), 2,
      "`--train.max-steps` must be a whole number of at least 1 or none, but is `many`; `--train.max-updates` is now "
      "`--train.max-steps`");
  const Folder folder;
  const std::string file = folder.file("run.toml", "[train]\nmax-updates = 'many'\n");
  expect_error(
      heed({"train", "--config", file}), 2,
      file +
          ":2: `train.max-updates` (now `train.max-steps`) must be a whole number of at least 1 or none, but is `many`");
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = heed({"completion", shell}).output;
    EXPECT_NE(script.find("train.max-steps"), std::string::npos) << shell;
    for (const auto& [former, present] : config::all_former_names()) {
      EXPECT_EQ(script.find("--" + std::string(former)), std::string::npos) << shell << " offers " << former;
    }
  }
}

TEST(Help, OfTrainingHasTheDefaultsOfThePreset) {
  const auto in_one_line = [](const std::vector<std::string>& command) {
    std::istringstream help(heed(command).output);
    std::string text, word;
    while (help >> word) text += word + ' ';
    return text;
  };
  const auto steps = [&](const std::vector<std::string>& command) {  // what is said of them
    const std::string text = in_one_line(command);
    const size_t begin = text.find("--train.max-steps N");
    return text.substr(begin, text.find(']', begin) - begin);
  };
  const std::string text =
      "--train.max-steps N stop after this many steps [a whole number of at least 1 or none; default ";
  EXPECT_EQ(steps({"train", "--help"}), text + "6000");
  EXPECT_EQ(steps({"train", "--source-images", "pictures", "--help"}), text + "20000");
  EXPECT_EQ(steps({"train", "--task", "classification", "--help"}), text + "20000");
  EXPECT_EQ(steps({"train", "--preset", "rnn-luong", "--help"}), text + "4000");
  EXPECT_EQ(steps({"train", "--preset=rnn-luong", "--help"}), text + "4000");
  EXPECT_EQ(steps({"train", "--task", "language-model", "--help"}), text + "6000");
  EXPECT_EQ(steps({"train", "--task=language-model", "--preset", "lm-lstm", "--help"}), text + "4000");
  EXPECT_EQ(steps({"train", "--train.max-steps", "7", "--help"}), text + "7") << "what would hold";
  const Folder folder;
  const std::string file = folder.file("run.toml", "[train]\nmax-steps = 11\n");
  EXPECT_EQ(steps({"train", "--config", file, "--help"}), text + "11");
  EXPECT_NE(in_one_line({"train", "--text.joint", "false", "--help-all"})
                .find("[one of none, decoder, all; default decoder] --arch.embedding-scale"),
            std::string::npos)
      << "a default that follows from another choice";
  EXPECT_EQ(heed({"train", "--preset", "lm-lstm", "--help"}).output.find("--arch.encoder"), std::string::npos);
  const Result unknown = heed({"train", "--preset", "nope", "--help"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.errors.ends_with("lm-transformer, but is `nope`\n")) << unknown.errors;
}

}  // namespace
}  // namespace heed::end_to_end
