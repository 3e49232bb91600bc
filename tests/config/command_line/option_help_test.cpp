#include "heed/command_line/option_help.h"

#include "heed/command_line/command_line.h"

#include <gtest/gtest.h>

#include "config/sample_options.h"

namespace heed::config {
namespace {

/// The help of a command of these options, with every option or the common ones.
template <class Options>
std::string help_of(Options options, const CommandHelp& help, bool all = true) {
  const std::vector<Command> commands{{.name = "x", .help = help, .options = visit_options(options)}};
  const std::vector<std::string> words{"x", all ? "--help-all" : "--help"};
  return read_command_line({.name = "heed", .summary = {}, .closing = {}}, commands, words).help;
}

TEST(OptionHelp, ListsEveryAlternativeBelowItsChoice) {
  const std::string help = help_of(sample::Options(), {.usage = "heed x [options]", .summary = "Does x."});
  EXPECT_EQ(help, R"(usage: heed x [options]

Does x.

Options:
  --source TEXT...                text files of the source side
  --model TEXT                    folder of the model
  --joint [true|false]            one vocabulary for both sides [default false]
  --threads N                     threads to work with [a whole number of at least 1 or none;
                                  default none]
  --patience TEXT                 when to give up [an amount such as 4000 (steps), 50Mt (target
                                  tokens) or 10e (epochs); default 10e]

[encoder] reads the source:
  --encoder.type NAME             kind of network [one of transformer, rnn; default transformer]
  --encoder.dropout X             share of zeroed values [a number from 0 to 1; default 0.1]

[encoder] with type transformer, rnn:
  --encoder.layers N              layers in the stack [a whole number of at least 1; default 4 (rnn:
                                  1)]

[encoder] with type transformer:
  --encoder.norm NAME             where the normalization stands [one of pre, post; default post]
  --encoder.positions NAME        how positions are told apart [one of sinusoidal, shaw; default
                                  sinusoidal]

[encoder] with type transformer and positions shaw:
  --encoder.distance N            largest distance [a whole number of at least 1; default 16]

[encoder] with type rnn:
  --encoder.cell TEXT             kind of recurrent cell [default gru]
)");
}

TEST(OptionHelp, DefaultsAreThoseOfTheAlternativeChosen) {
  sample::Options options;
  options.encoder.parts = sample::Recurrent{.layers = 2};
  const CommandHelp help{.usage = "x", .summary = "X.", .common = {"encoder.layers"}};
  EXPECT_NE(help_of(options, help).find("default 2\n                                  (transformer: 4)]"),
            std::string::npos);
  const std::string common = help_of(options, help, /*all=*/false);
  EXPECT_NE(common.find("default 2]"), std::string::npos) << common;
}

struct Sides {
  sample::Side encoder, decoder;
};
void describe(Sides& o, OptionVisitor& visit) {
  visit.section("net.encoder", o.encoder, "reads");
  visit.section("net.decoder", o.decoder, "writes");
}

TEST(OptionHelp, WhatEncoderAndDecoderHaveAlikeStandsThereOnce) {
  Sides sides;
  sides.decoder.dropout = 0.5;
  const std::string help = help_of(sides, {.usage = "x", .summary = "X."});
  EXPECT_NE(help.find("  --net.{encoder,decoder}.layers N\n"), std::string::npos) << help;
  EXPECT_EQ(help.find("--net.encoder.layers"), std::string::npos) << help;
  EXPECT_EQ(help.find("--net.decoder.layers"), std::string::npos) << help;
  EXPECT_NE(help.find("--net.encoder.dropout X"), std::string::npos) << "their defaults differ\n" << help;
  EXPECT_NE(help.find("--net.decoder.dropout X"), std::string::npos) << help;
  EXPECT_NE(help.find("[net.{encoder,decoder}] with type rnn:\n"), std::string::npos) << help;
}

struct Cold {
  static constexpr std::string_view kName = "cold";
  sample::Order order = sample::Order::Pre;
};
void describe(Cold& o, OptionVisitor& visit) { visit("order", o.order, "what comes first"); }

struct Warm {
  static constexpr std::string_view kName = "warm";
  int64_t order = 2;
};
void describe(Warm& o, OptionVisitor& visit) { visit("order", o.order, "how often", at_least(1)); }

struct TwoMeanings {
  std::variant<Cold, Warm> weather;
};
void describe(TwoMeanings& o, OptionVisitor& visit) { visit.alternatives("weather", o.weather, "how it is"); }

TEST(OptionHelp, ANameThatMeansSomethingElseWithAnotherAlternativeIsListedForEach) {
  TwoMeanings options;
  const OptionList list = list_options(visit_options(options));
  EXPECT_EQ(help_of(options, {.usage = "x", .summary = "X."}), R"(usage: x

X.

Options:
  --weather NAME                  how it is [one of cold, warm; default cold]

Options with --weather cold:
  --order NAME                    what comes first [one of pre, post; default pre]

Options with --weather warm:
  --order N                       how often [a whole number of at least 1; default 2]
)");
  EXPECT_EQ(list.places("order").size(), 2U);
  EXPECT_EQ(list.similar("ordre"), std::vector<std::string>{"order"});
}

struct Leaf {
  int64_t size = 1;
};
template <int kNumber>
struct Branch : Leaf {
  static constexpr std::array kNames{"oak", "elm", "ash"};
  static constexpr std::string_view kName = kNames[kNumber];
};
template <int kNumber>
void describe(Branch<kNumber>& o, OptionVisitor& visit) {
  visit("size", o.size, "of the leaf", at_least(1));
}
template <int kNumber>
struct Tree {
  static constexpr std::array kNames{"left", "right"};
  static constexpr std::string_view kName = kNames[kNumber];
  std::variant<Branch<0>, Branch<1>, Branch<2>> branch;
};
template <int kNumber>
void describe(Tree<kNumber>& o, OptionVisitor& visit) {
  visit.alternatives("branch", o.branch, "which");
}
struct Wood {
  std::variant<Tree<0>, Tree<1>> tree;
};
void describe(Wood& o, OptionVisitor& visit) { visit.alternatives("tree", o.tree, "where"); }

TEST(OptionHelp, AlternativesWithTheSameOptionAreFolded) {
  const std::string help = help_of(Wood(), {.usage = "x", .summary = "X."});
  EXPECT_NE(help.find("Options with --tree left, right and --branch oak, elm, ash:\n  --size N"), std::string::npos)
      << help;
}

TEST(OptionHelp, TheShortFormHasTheCommonOptionsInItsOrder) {
  const CommandHelp short_help{
      .usage = "heed x", .summary = "Does x.", .examples = "  heed x --joint", .common = {"model", "source"}};
  EXPECT_EQ(help_of(sample::Options(), short_help, /*all=*/false), R"(usage: heed x

Does x.

Examples:
  heed x --joint

Most used options (--help-all lists all):
  --model TEXT                    folder of the model
  --source TEXT...                text files of the source side
)");
}

TEST(OptionHelp, TheShortFormHasNothingOfOtherAlternatives) {
  const CommandHelp help{.usage = "", .summary = "", .common = {"encoder.norm", "encoder.cell"}};
  const std::string text = help_of(sample::Options(), help, /*all=*/false);
  EXPECT_NE(text.find("--encoder.norm"), std::string::npos) << text;
  EXPECT_EQ(text.find("--encoder.cell"), std::string::npos) << text;
}

TEST(OptionHelp, ACommonOptionMustExist) {
  const CommandHelp help{.usage = "", .summary = "", .common = {"zebra"}};
  EXPECT_THROW(help_of(sample::Options(), help, /*all=*/false), std::logic_error);
}

}  // namespace
}  // namespace heed::config
