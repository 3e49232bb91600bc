#include "heed/command_line/command_line.h"

#include <gtest/gtest.h>

#include "config/sample_options.h"
#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::config {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// Commands of the sample's options, and what was run.
struct Commands {
  sample::Options options;
  std::vector<Command> list;

  explicit Commands(Positionals positionals = Positionals::Refused)
      : list{{.name = "learn",
              .summary = "text -> a model",
              .other_name = "learn-it",
              .help = {.usage = "p learn", .summary = "Learns."},
              .options = visit_options(options),
              .positionals = positionals,
              .letters = {{'m', "model"}, {'j', "joint"}},
              .underscores = true,
              .exclusive = {{"source", "patience"}},
              .needs = {{"threads", "source"}}},
             {.name = "text",
              .summary = "lines",
              .help = {.usage = "p text COMMAND", .summary = "Texts.", .closing = "More."},
              .parts = {{.name = "cut", .summary = "lines -> pieces", .options = visit_options(options)}}},
             {.name = "other", .run_raw = [](std::span<const std::string>) { return 3; }}} {}

  Invocation read(const Words& words) {
    return read_command_line({.name = "p", .summary = "P does much.", .closing = "The end."}, list, words);
  }
};

Arguments parse(const Words& arguments, Positionals positionals = Positionals::Refused) {
  return Commands(positionals).read(Words{"learn"} + arguments).arguments;
}

std::string error_of(const Words& words) {
  return heed::testing::message_of<ConfigError>([&] { Commands().read(words); });
}
std::string learn_error(const Words& arguments) { return error_of(Words{"learn"} + arguments); }

TEST(CommandLine, ValuesFollowOrStandBehindAnEqualsSign) {
  const Arguments apart = parse({"--encoder.layers", "6", "--model", "m"});
  const Arguments joined = parse({"--encoder.layers=6", "--model=m"});
  for (const Arguments& arguments : {apart, joined}) {
    ASSERT_EQ(arguments.settings.size(), 2u);
    EXPECT_EQ(arguments.settings[0].name, "encoder.layers");
    EXPECT_EQ(arguments.settings[0].values, std::vector<std::string>{"6"});
    EXPECT_EQ(arguments.settings[1].values, std::vector<std::string>{"m"});
  }
}

TEST(CommandLine, ValuesMayHoldEqualsSignsDashesBracketsAndNegativeNumbers) {
  EXPECT_EQ(parse({"--model=a=b"}).settings[0].values[0], "a=b");
  EXPECT_EQ(parse({"--model=--x"}).settings[0].values[0], "--x");
  EXPECT_EQ(parse({"--source", "-1", "-0.5"}).settings[0].values, (Words{"-1", "-0.5"}));
  EXPECT_EQ(parse({"--source", "-"}).settings[0].values[0], "-");
  EXPECT_EQ(parse({"--source", "[a,b]", "{}", "%%", "++x"}).settings[0].values, (Words{"[a,b]", "{}", "%%", "++x"}));
  EXPECT_EQ(parse({"--model", "learn"}).settings[0].values[0], "learn") << "a value may be called as a command";
  EXPECT_EQ(parse({"--source", "text", "learn"}).settings[0].values, (Words{"text", "learn"}));
  EXPECT_EQ(parse({"--model", ""}).settings[0].values[0], "");
  EXPECT_EQ(parse({"--encoder.cell="}).settings[0].values[0], "");
  EXPECT_EQ(parse({"--model=", "--joint"}).settings[0].values[0], "");
}

TEST(CommandLine, ListsTakeWhatFollowsAndGrow) {
  const Arguments arguments = parse({"--source", "a", "b", "--joint", "--source=c"});
  EXPECT_EQ(arguments.settings[0].values, (Words{"a", "b", "c"}));
}

TEST(CommandLine, ListsTakeOneValueEachBesidePositionals) {
  const Arguments arguments = parse({"--source", "a", "x", "--source", "b", "y"}, Positionals::Allowed);
  EXPECT_EQ(arguments.settings[0].values, (Words{"a", "b"}));
  EXPECT_EQ(arguments.positionals, (Words{"x", "y"}));
}

TEST(CommandLine, DashesEndTheOptions) {
  const Arguments arguments = parse({"a", "--joint", "--", "--joint", "--help", "-m"}, Positionals::Allowed);
  EXPECT_EQ(arguments.positionals, (Words{"a", "--joint", "--help", "-m"}));
  EXPECT_EQ(arguments.settings.size(), 1u);
  EXPECT_EQ(parse({"--", "text", "--=", "other"}, Positionals::Allowed).positionals, (Words{"text", "--=", "other"}));
}

TEST(CommandLine, FlagsNeedNoValue) {
  EXPECT_EQ(parse({"--joint"}).settings[0].values[0], "true");
  EXPECT_EQ(parse({"--joint", "false"}).settings[0].values[0], "false");
  EXPECT_EQ(parse({"--joint=false"}, Positionals::Allowed).settings[0].values[0], "false");
  EXPECT_EQ(parse({"--joint", "x"}, Positionals::Allowed).positionals[0], "x");
  EXPECT_EQ(parse({"--joint", "x"}, Positionals::Allowed).settings[0].values[0], "true");
}

TEST(CommandLine, TheLastOfSeveralValuesWins) {
  const Arguments arguments = parse({"--model", "a", "--joint", "--model", "b", "--joint=false"});
  ASSERT_EQ(arguments.settings.size(), 2u);
  EXPECT_EQ(arguments.settings[0].values, Words{"b"});
  EXPECT_EQ(arguments.settings[1].values, Words{"false"});
}

TEST(CommandLine, ShortNamesAndUnderscores) {
  EXPECT_EQ(parse({"-m", "a"}).settings[0].name, "model");
  EXPECT_EQ(parse({"-ma"}).settings[0].values, Words{"a"});
  EXPECT_TRUE(parse({"-j"}).gives("joint"));
  EXPECT_FALSE(parse({"-j"}).gives("model"));
}

TEST(CommandLine, CommandsHaveOtherNamesAndParts) {
  Commands commands;
  EXPECT_EQ(commands.read({"learn-it"}).command, &commands.list[0]);
  EXPECT_EQ(commands.read({"text", "cut", "--model", "a"}).command->name, "cut");
}

TEST(CommandLine, ForeignCommandsAreFoundBeforeTheirArgumentsAreRead) {
  const Commands commands;
  const Words words{"other", "--help", "-x"};
  std::span<const std::string> rest = words;
  ASSERT_EQ(find_raw_command(commands.list, rest), &commands.list[2]);
  EXPECT_EQ(Words(rest.begin(), rest.end()), (Words{"--help", "-x"}));
  const Words own{"learn", "other"};
  rest = own;
  EXPECT_EQ(find_raw_command(commands.list, rest), nullptr);
  EXPECT_EQ(rest.size(), 2u);
}

TEST(CommandLine, HelpWinsOverErrors) {
  const auto help = [](const Words& words) { return Commands().read(words).help; };
  const std::string learns = help({"learn", "--help"});
  EXPECT_TRUE(learns.starts_with("usage: p learn\n\nLearns.\n\nOptions:\n")) << learns;
  for (const Words& words : {Words{"--nonsense", "--help"}, Words{"-h"}, Words{"--help-all"},
                             Words{"--help", "--model"}, Words{"--encoder.layers", "x", "--help"}}) {
    EXPECT_EQ(help(Words{"learn"} + words), learns);
  }
  EXPECT_EQ(help({"text", "--help"}),
            "usage: p text COMMAND [options]\n\nTexts.\n\nCommands:\n"
            "  p text cut                      lines -> pieces\n\nMore.\n");
  EXPECT_TRUE(help({"--help"}).starts_with("P does much.\n\nCommands:\n  p learn (learn-it)")) << help({"--help"});
}

TEST(CommandLine, HelpShowsWhatWouldHold) {
  Commands commands;
  commands.list[0].help.common = {"encoder.layers"};
  commands.list[0].prepare_help = [&](const Layer& given) { apply_layers(visit_options(commands.options), {given}); };
  const std::string help = commands.read({"learn", "--encoder.type", "rnn", "--help"}).help;
  EXPECT_NE(help.find("--encoder.layers N              layers in the stack [a whole number of at least 1; default 1]"),
            std::string::npos)
      << help;
}

TEST(CommandLine, ErrorsSayWhatToDo) {
  EXPECT_EQ(learn_error({"--encoder.layer", "3"}),
            "`--encoder.layer` is not an option; did you mean `--encoder.layers`?");
  EXPECT_EQ(learn_error({"--layers", "3"}), "`--layers` is not an option; did you mean `--encoder.layers`?");
  EXPECT_EQ(learn_error({"--src", "3"}), "`--src` is not an option; did you mean `--source`?");
  EXPECT_EQ(learn_error({"--zebra=1"}), "`--zebra` is not an option; --help-all lists all options");
  EXPECT_EQ(learn_error({"--encoder.layers"}), "`--encoder.layers` needs a value: a whole number of at least 1");
  EXPECT_EQ(learn_error({"--encoder.layers", "x"}),
            "`--encoder.layers` must be a whole number of at least 1, but is `x`");
  EXPECT_EQ(learn_error({"--joint", "maybe"}), "`--joint` must be true or false, but is `maybe`");
  EXPECT_EQ(learn_error({"--model", "--joint"}), "`--model` needs a value: a text");
  EXPECT_EQ(learn_error({"--model", "-x y"}),
            "`--model` needs a value: a text; one that begins with a dash is given as --model=VALUE");
  EXPECT_EQ(parse({"--model=-x y"}).settings[0].values[0], "-x y");
  EXPECT_EQ(learn_error({"file"}), "`file` has no option name: write `--NAME file`");
  EXPECT_EQ(error_of({"text", "cut", "file"}), "`file` has no option name: write `--NAME file`");
  EXPECT_EQ(learn_error({"-x"}), "`-x` is not an option: the short names are -m and -j");
  EXPECT_EQ(error_of({"text", "cut", "-x"}), "`-x` is not an option: names begin with two dashes");
  EXPECT_EQ(learn_error({"++"}), "`++` is not an argument; for a file of that name, write ./++");
}

TEST(CommandLine, FilesThatStandAloneHaveNamesElsewhere) {
  const auto read = [] { Commands(Positionals::Allowed).read({"learn", "--hypothesis=a"}); };
  EXPECT_EQ(heed::testing::message_of<ConfigError>(read),
            "`--hypothesis` is not an option: name files of translations after the options");
}

TEST(CommandLine, OptionsThatDoNotGoTogether) {
  EXPECT_EQ(learn_error({"--source", "a", "--patience", "1"}), "`--source` and `--patience` cannot both be given");
  EXPECT_EQ(learn_error({"--threads", "1"}), "`--threads` has no effect without `--source`");
  EXPECT_EQ(parse({"--threads", "1", "--source", "a"}).settings.size(), 2u);
}

TEST(CommandLine, CommandsThatDoNotExist) {
  EXPECT_EQ(error_of({"lern"}),
            "`lern` is not a command of `p`; did you mean `learn`? The commands are learn, text and other");
  EXPECT_EQ(error_of({}), "`p` needs a command: learn, text or other; `p --help` shows the first steps");
  EXPECT_EQ(error_of({"text"}), "`p text` needs a command: cut; `p text --help` shows the first steps");
  EXPECT_EQ(error_of({"lern", "--help"}),
            "`lern` is not a command of `p`; did you mean `learn`? The commands are learn, text and other");
  EXPECT_EQ(error_of({"text", "x"}), "`x` is not a command of `p text`, which are cut");
}

}  // namespace
}  // namespace heed::config
