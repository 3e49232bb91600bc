// `heed distill`: teachers translate a training text for a student.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

/// A model that translates numbers and turns them round.
std::string stored(const std::string& file = "") {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
}

const Words kList{"--search.beam", "4", "--search.n-best", "4"};

class Distill : public testing::Test {
 protected:
  Words command(const Words& options = {}) const {
    return Words{"distill", "--model",  stored(), "--source",  source, "--target",
                 target,    "--output", output,   "--threads", "1"} +
           options;
  }
  /// What one run writes.
  std::string distilled(const Words& options = {}) const {
    std::filesystem::remove(output);
    const Result result = heed(command(options));
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(result.output, "");
    return read_file(output);
  }
  std::string translated(const Words& options) const {
    const Result result = heed(Words{"translate", "--model", stored(), "--input", source, "--threads", "1"} + options);
    EXPECT_EQ(result.code, 0) << result.errors;
    return result.output;
  }

  Folder folder;
  std::string source = folder.file("source", read_file(stored("/input.txt")) + "\n" + read_file(stored("/input.txt")));
  /// The numbers in the order of the source, and then some that the source does not have.
  std::string target = folder.file("target", [] {
    std::string text = read_file(stored("/expected.txt"));
    for (int line = 0; line < 21; ++line) text += "neun zehn\n";
    return text;
  }());
  std::string output = folder.path("output");
};

TEST_F(Distill, WritesTheTeachersTranslations) {
  EXPECT_EQ(distilled(), translated({}));
  EXPECT_EQ(distilled({"--search.beam", "1", "--precision", "int8"}),
            translated({"--search.beam", "1", "--precision", "int8"}));
}

TEST_F(Distill, OfAListWritesTheTranslationThatIsMostLikeTheTarget) {
  const std::string list = folder.file("list", translated(kList));
  for (const Words& metric : {Words{}, Words{"--metric", "bleu", "--tokenize", "char"}, Words{"--metric", "chrf"}}) {
    const Result oracle = heed(Words{"rerank", "--input", list, "--reference", target, "--oracle"} + metric);
    ASSERT_EQ(oracle.code, 0) << oracle.errors;
    const std::string chosen = distilled(kList + metric);
    EXPECT_EQ(chosen, oracle.output);
    EXPECT_NE(chosen, translated({}));
  }
}

TEST_F(Distill, ChoosesByMinimumBayesRiskIfAsked) {
  const Words risk = kList + Words{"--mbr", "chrf"};
  EXPECT_EQ(distilled(risk), translated(risk));
}

TEST_F(Distill, AnEnsembleTeachesToo) { EXPECT_EQ(distilled({"--ensemble", stored()}), translated({})); }

TEST_F(Distill, LinesWithoutAWholeTranslationKeepTheirTarget) {
  source = folder.file("source", "one two\n\nsix\nthree four\n");
  target = folder.file("target", "A B\nC\nD\nE\n");
  const Words short_ones{"--search.max-length-factor", "0", "--search.max-length-constant", "1"};
  const Result result = heed(command(short_ones + kList));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(read_file(output), "A B\n\nsechs\nE\n");
  EXPECT_EQ(result.errors,
            "heed: warning: line 1 keeps its target: its translation is empty or cut short; heed counts further lines "
            "like it\nheed: warning: 2 of 4 lines keep their target: their translation is empty or cut short\n");
}

TEST_F(Distill, ContinuesWhereverItWasCutOff) {
  for (const Words& options : {Words{}, kList}) {
    const std::string expected = distilled(options);
    for (size_t size = 0; size <= expected.size(); size += 37) {
      write_file(output, expected.substr(0, size));
      const Result result = heed(command(options));
      ASSERT_EQ(result.code, 0) << result.errors;
      ASSERT_EQ(read_file(output), expected) << "cut off behind byte " << size;
    }
    EXPECT_EQ(heed(command(options)).errors, "heed: " + output + " is complete; to translate again, remove it\n");
    EXPECT_EQ(read_file(output), expected);
  }
}

TEST_F(Distill, ContinuesAfterKills) {
  std::string many, targets;
  for (int i = 0; i < 100; ++i) {
    many += read_file(stored("/input.txt"));
    targets += read_file(stored("/expected.txt"));
  }
  folder.file("source", many);
  folder.file("target", targets);
  const std::string expected = distilled(kList);
  std::filesystem::remove(output);
  int kills = 0;
  size_t size = 0;
  for (bool finished = false; !finished; ++kills) {
    ASSERT_LT(kills, 200);
    Program program(command(kList));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto grown = [&] { return std::filesystem::exists(output) && std::filesystem::file_size(output) > size; };
    while (program.running() && !grown() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    finished = !program.running();
    if (!finished) program.signal(kills % 2 == 0 ? SIGKILL : SIGTERM);
    const Result result = program.wait();
    if (finished) {
      ASSERT_EQ(result.code, 0) << result.errors;
    }
    size = std::filesystem::file_size(output);
    ASSERT_TRUE(expected.starts_with(read_file(output)));
  }
  EXPECT_GT(kills, 1);
  EXPECT_EQ(read_file(output), expected);
}

TEST_F(Distill, PartsJoinToTheWhole) {
  const std::string whole = distilled(kList);
  EXPECT_EQ(distilled(kList + Words{"--shard", "1/3"}) + distilled(kList + Words{"--shard", "2/3"}) +
                distilled(kList + Words{"--shard", "3/3"}),
            whole);
}

TEST_F(Distill, RefusesWhatItDidNotWrite) {
  const std::string other = "drei\nzwei eins\nneun\n";
  write_file(output, other);
  const Result result = heed(command());
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.errors,
            "heed: " + output +
                ":1: is not what this command writes for line 1 of the input: that is `acht`; only output "
                "of the same command can be continued\n");
  EXPECT_EQ(read_file(output), other) << "nothing is lost";
}

TEST_F(Distill, NeedsATargetForEachLine) {
  folder.file("target", "eins\n");
  expect_error(heed(command()), 1, target + ": has 1 targets, but there are 41 lines to translate");
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(Distill, RefusesOptionsThatDoNotGoTogether) {
  const Words begin{"distill", "--model", stored()}, texts{"--source", source, "--target", target};
  expect_error(heed({"distill"}), 2, "`--model` is missing: name the directory that `heed train` made");
  expect_error(heed(begin), 2, "`--source` is missing: name the source text of the training");
  expect_error(heed(begin + Words{"--source", source}), 2,
               "`--target` is missing: name the target text of the training");
  expect_error(heed(begin + texts), 2, "`--output` is missing: name the file for the new target text");
  for (const std::string& file : {std::string("-"), output + ".gz"}) {
    expect_error(heed(begin + texts + Words{"--output", file}), 2,
                 "`--output` must be a file that can be continued, neither compressed nor standard output");
  }
  expect_error(heed(begin + texts + Words{"--output", target}), 2,
               "`--output` must be another file than `" + target + "`, which is read");
  expect_error(heed(command({"--metric", "chrf"})), 2,
               "`--metric` chooses among several translations: `search.n-best` must be above 1");
  expect_error(heed(command(kList + Words{"--metric", "chrf", "--tokenize", "char"})), 2,
               "`--tokenize` has no effect but on BLEU");
  EXPECT_EQ(heed(command(kList + Words{"--metric", "chrf", "--mbr", "chrf"})).code, 2);
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace heed::end_to_end
