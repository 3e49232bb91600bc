// `heed translate --continue`: an output that was cut off is gone on with.
#include <gtest/gtest.h>

#include <cstdlib>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

class Continue : public testing::Test {
 protected:
  static std::string model() { return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1"; }
  /// Translates the input with `--continue`.
  Result go_on(const Words& options = {}) const {
    Words command{"translate", "--model", model(),      "--input",  input,
                  "--threads", "1",       "--continue", "--output", output};
    command.insert(command.end(), options.begin(), options.end());
    return heed(command);
  }
  /// What one run writes.
  std::string whole(const Words& options = {}) const {
    const std::string path = folder.path("whole");
    Words command{"translate", "--model", model(), "--input", input, "--threads", "1", "--output", path};
    command.insert(command.end(), options.begin(), options.end());
    EXPECT_EQ(heed(command).code, 0);
    return read_file(path);
  }

  Folder folder;
  std::string input = folder.file("input", "one two three\n\nfour five\nsix\nseven eight nine\n");
  std::string output = folder.path("output");
};

TEST_F(Continue, MakesTheSameWhereverItWasCutOff) {
  const std::string expected = whole();
  for (size_t size = 0; size <= expected.size(); ++size) {
    write_file(output, expected.substr(0, size));
    const Result result = go_on();
    ASSERT_EQ(result.code, 0) << result.errors;
    ASSERT_EQ(read_file(output), expected) << "cut off behind byte " << size;
  }
}

TEST_F(Continue, BeginsWhereThereIsNothing) {
  const Result result = go_on();
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(read_file(output), whole());
}

TEST_F(Continue, OfSamplesMakesTheSame) {
  const Words sample{"--search.method", "sample", "--search.temperature", "2"};
  const std::string expected = whole(sample);
  write_file(output, expected.substr(0, expected.find('\n') + 3));
  EXPECT_EQ(go_on(sample).code, 0);
  EXPECT_EQ(read_file(output), expected);
}

TEST_F(Continue, OfObjectsAndColumnsMakesTheSame) {
  std::string objects;
  for (const std::string& line : lines_of(read_file(input))) objects += R"({"source": ")" + line + "\"}\n";
  for (const std::string form : {"tsv", "json"}) {
    if (form == "json") write_file(input, objects + "\n");
    const Words options{"--format", form};
    const std::string expected = whole(options);
    write_file(output, expected.substr(0, expected.size() / 2));
    const Result result = go_on(options);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_EQ(read_file(output), expected);
  }
}

TEST_F(Continue, RefusesWhatIsNotItsOwn) {
  const auto complaint = [&](const std::string& content, const Words& options = {}) {
    write_file(output, content);
    const Result result = go_on(options);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(read_file(output), content) << "nothing is lost";
    return result.errors;
  };
  const std::string own = "; only output of the same command can be continued\n";
  EXPECT_EQ(
      complaint("drei zwei eins\nvier\n"),
      "heed: " + output + ":2: is not what this command writes for line 2 of the input: its source is another" + own);
  EXPECT_EQ(complaint("neun\n"),
            "heed: " + output +
                ":1: is not what this command writes for line 1 of the input: that is `drei zwei eins`" + own);
  EXPECT_EQ(
      complaint("one two\teins zwei\t-0.1\t\n", {"--format", "tsv"}),
      "heed: " + output + ":1: is not what this command writes for line 1 of the input: its source is another" + own);
  EXPECT_EQ(complaint("1\n\n3\n4\n5\n6\n"), "heed: " + output + ": has 6 lines, but the input has 5 lines" +
                                                ": only output of the same command can be continued\n");
}

TEST_F(Continue, NeedsAnOutputThatCanBeGoneOnWith) {
  const Words begin{"translate", "--model", model(), "--continue"};
  const auto complaint = [&](const Words& options) {
    Words command = begin;
    command.insert(command.end(), options.begin(), options.end());
    const Result result = heed(command, "one\n");
    EXPECT_EQ(result.code, 2);
    return result.errors;
  };
  EXPECT_EQ(complaint({}), "heed: `--continue` needs `--output FILE`, the file to continue\n");
  EXPECT_EQ(complaint({"--output", output + ".gz"}),
            "heed: `--continue` does not go with an output that is compressed\n");
  EXPECT_EQ(complaint({"--output", output, "--alignment", folder.path("links")}),
            "heed: `--continue` does not go with `--alignment`, whose file would lack the lines before\n");
  EXPECT_EQ(
      complaint({"--output", output, "--search.n-best", "2"}),
      "heed: `--continue` resumes n-best lists only with `--format json`, which writes one line per line of input\n");
}

}  // namespace
}  // namespace heed::end_to_end
