#include "heed/config/help.h"

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
  with --encoder.type transformer or --encoder.type rnn:
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
