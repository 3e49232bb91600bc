// `heed translate --shard`: parts of an input, joined, are the whole.
#include <gtest/gtest.h>

#include <cstdlib>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

class Shards : public testing::Test {
 protected:
  static Result translate(const Words& options) {
    Words command{"translate", "--model", std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1",
                  "--threads", "1"};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command);
  }
  /// Expects of the outputs of 1, 3, 7 and 20 shards that they joined are that of the whole.
  void expect_whole(const Words& options) const {
    Words all{"--input", input};
    all.insert(all.end(), options.begin(), options.end());
    const Result whole = translate(all);
    EXPECT_EQ(whole.code, 0) << whole.errors;
    for (const int of : {1, 3, 7, 20}) {
      std::string joined;
      for (int number = 1; number <= of; ++number) {
        Words part = all;
        part.insert(part.end(), {"--shard", std::to_string(number) + "/" + std::to_string(of)});
        const Result result = translate(part);
        EXPECT_EQ(result.code, 0) << result.errors;
        joined += result.output;
      }
      EXPECT_EQ(joined, whole.output) << of << " shards";
    }
  }

  Folder folder;
  std::string input = folder.file("input",
                                  "one two three\n\nfour five\nsix\nseven eight nine\nten\none one\ntwo\nthree six\n"
                                  "nine eight seven six\n\n");
};

TEST_F(Shards, JoinedAreTheWhole) { expect_whole({}); }

TEST_F(Shards, OfListsCountTheLinesOfAll) { expect_whole({"--search.n-best", "3"}); }

TEST_F(Shards, OfSamplesDrawWhatTheWholeDraws) {
  expect_whole({"--search.method", "sample", "--search.temperature", "2", "--search.n-best", "2"});
}

TEST_F(Shards, HaveTheirPrefixes) {
  const std::string prefixes = folder.file("prefixes", "eins\n\nzwei\n\ndrei\n\nvier\n\nneun\n\n\n");
  expect_whole({"--prefix", prefixes});
}

TEST_F(Shards, GoOn) {
  const std::string output = folder.path("output");
  const Words part{"--input", input, "--shard", "2/2", "--search.method", "sample", "--search.temperature", "2"};
  Words going = part;
  going.insert(going.end(), {"--continue", "--output", output});
  const std::string expected = translate(part).output;
  write_file(output, expected.substr(0, expected.find('\n') + 3));
  const Result result = translate(going);
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(read_file(output), expected);
}

TEST_F(Shards, AreNumberedFromOne) {
  for (const std::string shard : {"0/2", "3/2", "1", "1/", "/2", "1/2/3", "a/b", "-1/2", "1/0"}) {
    expect_error(translate({"--input", input, "--shard", shard}), 2,
                 "`--shard` must be a part and how many there are, such as 1/8 to 8/8, but is `" + shard + "`");
  }
  expect_error(translate({"--shard", "1/2"}), 2,
               "`--shard` needs an input whose lines can be counted: files, no pipe and no standard input");
}

}  // namespace
}  // namespace heed::end_to_end
