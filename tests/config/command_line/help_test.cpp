#include "heed/config/command_line/help.h"

#include <gtest/gtest.h>

#include "config/sample_options.h"

namespace heed::config {
namespace {

OptionList known() {
  sample::Options options;
  return list_options(walk_of(options));
}

TEST(Help, ListsEveryAlternativeBelowItsChoice) {
  const std::string help = format_full_help({.usage = "heed x [options]", .summary = "Does x."}, known());
  EXPECT_EQ(help, R"(usage: heed x [options]

Does x.

Options:
  --source TEXT...                text files of the source side
  --model TEXT                    folder of the model
  --joint [true|false]            one vocabulary for both sides [default false]
  --threads N                     threads to work with [a whole number of at least 1 or none;
                                  default none]
  --patience TEXT                 when to give up [an amount such as 4000 (updates), 50Mt (target
                                  tokens) or 10e (epochs); default 10e]

[encoder] reads the source
  --encoder.type NAME             kind of network [one of transformer, rnn; default transformer]
  with --encoder.type transformer, rnn:
    --encoder.layers N            layers in the stack [a whole number of at least 1; default 4 (rnn:
                                  1)]
  with --encoder.type transformer:
    --encoder.norm NAME           where the normalization stands [one of pre, post; default post]
    --encoder.positions NAME      how positions are told apart [one of sinusoidal, shaw; default
                                  sinusoidal]
  with --encoder.type transformer --encoder.positions shaw:
    --encoder.distance N          largest distance [a whole number of at least 1; default 16]
  with --encoder.type rnn:
    --encoder.cell TEXT           kind of recurrent cell [default gru]
  --encoder.dropout X             share of zeroed values [a number from 0 to 1; default 0.1]
)");
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

TEST(Help, ANameThatMeansSomethingElseWithAnotherAlternativeIsListedForEach) {
  TwoMeanings options;
  const OptionList list = list_options(walk_of(options));
  EXPECT_EQ(format_full_help({.usage = "x", .summary = "X."}, list), R"(usage: x

X.

Options:
  --weather NAME                  how it is [one of cold, warm; default cold]
  with --weather cold:
    --order NAME                  what comes first [one of pre, post; default pre]
  with --weather warm:
    --order N                     how often [a whole number of at least 1; default 2]
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

TEST(Help, AlternativesWithTheSameOptionAreFolded) {
  Wood options;
  EXPECT_NE(format_full_help({.usage = "x", .summary = "X."}, list_options(walk_of(options)))
                .find("  with --tree left, right --branch oak, elm, ash:\n    --size N"),
            std::string::npos);
}

TEST(Help, TheShortFormHasTheCommonOptionsInItsOrder) {
  const CommandHelp short_help{
      .usage = "heed x", .summary = "Does x.", .examples = "  heed x --joint", .common = {"model", "source"}};
  const std::string help = format_help(short_help, known());
  EXPECT_EQ(help, R"(usage: heed x

Does x.

Examples:
  heed x --joint

The options one needs most (--help-all lists all):
  --model TEXT                    folder of the model
  --source TEXT...                text files of the source side
)");
}

TEST(Help, ACommonOptionMustExist) {
  EXPECT_THROW(format_help({.usage = "", .summary = "", .common = {"zebra"}}, known()), std::logic_error);
}

}  // namespace
}  // namespace heed::config
