#include "heed/config/command_line/arguments.h"

#include <gtest/gtest.h>

#include "config/sample_options.h"
#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::config {
namespace {

OptionList known() {
  sample::Options options;
  return list_options(walk_of(options));
}

Arguments parse(const std::vector<std::string>& arguments, Positionals positionals = Positionals::Refused) {
  return parse_arguments(arguments, known(), positionals);
}

std::string error_of(const std::vector<std::string>& arguments) {
  return heed::testing::message_of<ConfigError>([&] { parse(arguments); });
}

TEST(Arguments, ValuesFollowOrStandBehindAnEqualsSign) {
  const Arguments apart = parse({"--encoder.layers", "6", "--model", "m"});
  const Arguments joined = parse({"--encoder.layers=6", "--model=m"});
  for (const Arguments& arguments : {apart, joined}) {
    ASSERT_EQ(arguments.settings.size(), 2u);
    EXPECT_EQ(arguments.settings[0].name, "encoder.layers");
    EXPECT_EQ(arguments.settings[0].values, std::vector<std::string>{"6"});
    EXPECT_EQ(arguments.settings[1].values, std::vector<std::string>{"m"});
  }
}

TEST(Arguments, ValuesMayHoldEqualsSignsDashesAndNegativeNumbers) {
  EXPECT_EQ(parse({"--model=a=b"}).settings[0].values[0], "a=b");
  EXPECT_EQ(parse({"--model=--x"}).settings[0].values[0], "--x");
  EXPECT_EQ(parse({"--encoder.dropout", "-0.5"}).settings[0].values[0], "-0.5");
  EXPECT_EQ(parse({"--source", "-"}).settings[0].values[0], "-");
  EXPECT_EQ(parse({"--encoder.cell="}).settings[0].values[0], "");
}

TEST(Arguments, ListsTakeWhatFollowsAndGrow) {
  const Arguments arguments = parse({"--source", "a", "b", "--joint", "--source=c"});
  EXPECT_EQ(arguments.settings[0].values, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Arguments, ListsTakeOneValueEachBesidePositionals) {
  const Arguments arguments = parse({"--source", "a", "x", "--source", "b", "y"}, Positionals::Allowed);
  EXPECT_EQ(arguments.settings[0].values, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(arguments.positionals, (std::vector<std::string>{"x", "y"}));
}

TEST(Arguments, DashesEndTheOptions) {
  const Arguments arguments = parse({"--", "--joint", "--help"}, Positionals::Allowed);
  EXPECT_EQ(arguments.positionals, (std::vector<std::string>{"--joint", "--help"}));
  EXPECT_EQ(arguments.help, HelpWanted::No);
}

TEST(Arguments, FlagsNeedNoValue) {
  EXPECT_EQ(parse({"--joint"}).settings[0].values[0], "true");
  EXPECT_EQ(parse({"--joint", "false"}).settings[0].values[0], "false");
  EXPECT_EQ(parse({"--joint", "x"}, Positionals::Allowed).positionals[0], "x");
}

TEST(Arguments, HelpWinsOverErrors) {
  EXPECT_EQ(parse({"--nonsense", "--help"}).help, HelpWanted::Common);
  EXPECT_EQ(parse({"-h"}).help, HelpWanted::Common);
  EXPECT_EQ(parse({"--help-all"}).help, HelpWanted::All);
}

TEST(Arguments, ErrorsSayWhatToDo) {
  EXPECT_EQ(error_of({"--encoder.layer", "3"}), "`--encoder.layer` is not an option; did you mean `--encoder.layers`?");
  EXPECT_EQ(error_of({"--layers", "3"}), "`--layers` is not an option; did you mean `--encoder.layers`?");
  EXPECT_EQ(error_of({"--zebra=1"}), "`--zebra` is not an option; --help-all lists all options");
  EXPECT_EQ(error_of({"--model", "a", "--model", "b"}), "`--model` is given twice");
  EXPECT_EQ(error_of({"--encoder.layers"}), "`--encoder.layers` needs a value: a whole number of at least 1");
  EXPECT_EQ(error_of({"--model", "--joint"}), "`--model` needs a value: a text");
  EXPECT_EQ(error_of({"--model", "-x y"}),
            "`--model` needs a value: a text; one that begins with a dash is given as --model=VALUE");
  EXPECT_EQ(parse({"--model=-x y"}).settings[0].values[0], "-x y");
  EXPECT_EQ(error_of({"file"}), "`file` belongs to no option; options read `--name value`");
  EXPECT_EQ(error_of({"-m", "file"}), "`-m` is not an option: names begin with two dashes");
}

}  // namespace
}  // namespace heed::config
