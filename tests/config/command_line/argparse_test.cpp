#include "heed/command_line/argparse.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "heed/core/error.h"

namespace heed::config {
namespace {

using Values = std::span<const std::string>;

/// Writes down what is taken: "--width 4; refs a b".
class Recorder {
 public:
  std::string parse(const std::vector<std::string>& arguments) {
    taken_.clear();
    const std::vector<ParsedOption> options{option({"--width", "-w"}, ArgumentCount::One),
                                            option({"--short", "-sh"}, ArgumentCount::None),
                                            option({"--score", "-b"}, ArgumentCount::None),
                                            option({"--quiet", "-q"}, ArgumentCount::None),
                                            option({"--input", "-i"}, ArgumentCount::Any),
                                            option({"--metrics", "-m"}, ArgumentCount::OneOrMore),
                                            option({"--left"}, ArgumentCount::None, 1),
                                            option({"--right"}, ArgumentCount::None, 1),
                                            option({}, ArgumentCount::Any)};
    parse_as_argparse(options, arguments);
    return taken_;
  }

  std::string error(const std::vector<std::string>& arguments) {
    try {
      return "taken: " + parse(arguments);
    } catch (const ConfigError& error) {
      return error.what();
    }
  }

 private:
  ParsedOption option(std::vector<std::string> names, ArgumentCount count, int group = 0) {
    const std::string name = names.empty() ? "refs" : names[0];
    return {std::move(names), count,
            [this, name](Values values) {
              taken_ += (taken_.empty() ? "" : "; ") + name;
              for (const std::string& value : values) {
                if (value == "bad") throw std::invalid_argument("is bad");
                taken_ += ' ' + value;
              }
            },
            group};
  }
  std::string taken_;
};

TEST(Argparse, ValuesStandBehindOptionsOrInThem) {
  Recorder recorder;
  EXPECT_EQ(recorder.parse({"--width", "4"}), "--width 4; refs");
  EXPECT_EQ(recorder.parse({"--width=4"}), "--width 4; refs");
  EXPECT_EQ(recorder.parse({"-w", "4"}), "--width 4; refs");
  EXPECT_EQ(recorder.parse({"-w=4"}), "--width 4; refs");
  EXPECT_EQ(recorder.parse({"-w4"}), "--width 4; refs");
  EXPECT_EQ(recorder.parse({"--width="}), "--width ; refs");
  EXPECT_EQ(recorder.parse({"-w", "-1"}), "--width -1; refs");
  EXPECT_EQ(recorder.parse({"-w", "-.5"}), "--width -.5; refs");
  EXPECT_EQ(recorder.parse({"-w", "-a b"}), "--width -a b; refs");
  EXPECT_EQ(recorder.error({"-w", "-q"}), "argument --width/-w: expected one argument");
}

TEST(Argparse, NamesMayBeCutShortWhereOnlyOneFits) {
  Recorder recorder;
  EXPECT_EQ(recorder.parse({"--wi", "4"}), "--width 4; refs");
  EXPECT_EQ(recorder.parse({"--wi=4"}), "--width 4; refs");
  EXPECT_EQ(recorder.error({"--s"}), "ambiguous option: --s could match --short, --score");
  EXPECT_EQ(recorder.error({"-s"}), "taken: --short; refs");  // the only name that begins so
}

TEST(Argparse, LettersBehindOneDashAreFlagsAndThenAValue) {
  Recorder recorder;
  EXPECT_EQ(recorder.parse({"-bq"}), "--score; --quiet; refs");
  EXPECT_EQ(recorder.parse({"-bqw4"}), "--score; --quiet; --width 4; refs");
  EXPECT_EQ(recorder.parse({"-bqw", "4"}), "--score; --quiet; --width 4; refs");
  EXPECT_EQ(recorder.error({"-bx"}), "argument --score/-b: ignored explicit argument 'x'");
  EXPECT_EQ(recorder.error({"--score=1"}), "argument --score/-b: ignored explicit argument '1'");
}

TEST(Argparse, PositionalsAreTheFirstOnesThatStandTogether) {
  Recorder recorder;
  EXPECT_EQ(recorder.parse({"a", "b", "-i", "c", "d"}), "refs a b; --input c d");
  EXPECT_EQ(recorder.parse({"-q", "a", "-i", "c"}), "--quiet; refs a; --input c");
  EXPECT_EQ(recorder.parse({"-i", "c", "-q", "a"}), "--input c; --quiet; refs a");
  EXPECT_EQ(recorder.parse({"-i", "c", "--", "a", "-x", "--"}), "--input c; refs a -x --");
  EXPECT_EQ(recorder.error({"a", "-q", "b"}), "unrecognized arguments: b");
  EXPECT_EQ(recorder.error({"a", "-q", "b", "--bogus"}), "unrecognized arguments: b --bogus");
}

TEST(Argparse, CountsAreChecked) {
  Recorder recorder;
  EXPECT_EQ(recorder.parse({"-i", "-q"}), "--input; --quiet; refs");
  EXPECT_EQ(recorder.error({"-m", "-q"}), "argument --metrics/-m: expected at least one argument");
  EXPECT_EQ(recorder.error({"-m", "bad"}), "argument --metrics/-m: is bad");
}

TEST(Argparse, ExclusiveOptionsRefuseEachOther) {
  Recorder recorder;
  EXPECT_EQ(recorder.error({"--left", "--right"}), "argument --right: not allowed with argument --left");
  EXPECT_EQ(recorder.parse({"--left", "--left"}), "--left; --left; refs");
}

}  // namespace
}  // namespace heed::config
