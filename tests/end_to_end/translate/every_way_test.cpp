// Whatever way of searching is asked for, a line has the same translations and scores, to the byte, whatever lines
// stand beside it, in batches of whatever size, by however many workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

std::string model(const std::string& file = "") {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
}

class EveryWay : public testing::Test {
 protected:
  std::string translate(const Words& options, const Words& batches) const {
    Words command{"translate", "--model", model(), "--input", input, "--threads", "1"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), batches.begin(), batches.end());
    const Result result = heed(command);
    EXPECT_EQ(result.code, 0) << result.errors;
    return result.output;
  }
  void expect_same(const Words& options) const {
    std::string name;
    for (const std::string& option : options) name += option + " ";
    SCOPED_TRACE(name);
    const std::string alone = translate(options, {"--search.batch-sentences", "1", "--search.workers", "1"});
    EXPECT_GT(std::ranges::count(alone, '\n'), 60);
    EXPECT_EQ(translate(options, {"--search.batch-sentences", "100", "--search.continuous-batching", "1",
                                  "--search.workers", "2"}),
              alone);
    EXPECT_EQ(translate(options, {"--search.batch-sentences", "7", "--search.continuous-batching", "0.1",
                                  "--search.buffer-lines", "9"}),
              alone);
  }

  static std::string lines() {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      text += "one two three\nseven\n\nnine eight two two five six one\nfour zzz\n" +
              std::string(i % 4 == 1 ? "ten ten\n" : "");
    }
    return text;
  }

  Folder folder;
  std::string input = folder.file("input", lines());
};

TEST_F(EveryWay, OfSearchingWithABeam) {
  const std::map<std::string, Words> ways{
      {"list", {"--search.n-best", "5"}},
      {"groups", {"--search.beam", "6", "--search.n-best", "6", "--search.groups", "3", "--search.diversity", "1"}},
      {"penalties", {"--search.n-best", "3", "--search.coverage-penalty", "0.4", "--search.word-reward", "0.3"}},
      {"length", {"--search.n-best", "3", "--search.length-penalty", "gnmt", "--search.min-length", "4"}},
      {"repetition", {"--search.n-best", "3", "--search.no-repeat-ngram", "2", "--search.repetition-penalty", "1.5"}},
      {"best", {"--search.n-best", "3", "--search.stop", "best"}},
      {"patience", {"--search.n-best", "3", "--search.patience", "2"}},
      {"unknown", {"--search.n-best", "3", "--replace-unknown"}},
      {"risk", {"--search.n-best", "5", "--mbr", "chrf", "--format", "tsv"}},
      {"bytes", {"--format", "tsv", "--precision", "int8"}},
  };
  for (const auto& [name, options] : ways) expect_same(options);
}

TEST_F(EveryWay, OfSampling) {
  expect_same({"--search.method", "sample", "--search.n-best", "4", "--search.temperature", "2"});
  expect_same({"--search.method", "sample", "--search.n-best", "4", "--search.epsilon", "0.01"});
  expect_same({"--search.method", "sample", "--search.n-best", "4", "--search.top-k", "3"});
  expect_same({"--search.method", "sample", "--search.n-best", "4", "--search.top-p", "0.8"});
  expect_same({"--search.method", "sample", "--search.n-best", "8", "--mbr", "bleu", "--format", "tsv"});
}

TEST_F(EveryWay, OfConstraints) {
  std::string prefixes;
  for (const std::string& line : lines_of(lines())) prefixes += line.size() % 2 == 0 ? "neun\n" : "\n";
  expect_same({"--search.n-best", "3", "--prefix", folder.file("prefixes", prefixes)});
  expect_same({"--search.n-best", "3", "--terminology", folder.file("terms", "two\tzehn zehn\nseven\tacht\n")});
  expect_same({"--search.n-best", "3", "--forbid", folder.file("never", "drei\nsieben\n")});
  expect_same({"--search.n-best", "3", "--target-tag", "sechs"});
}

}  // namespace
}  // namespace heed::end_to_end
