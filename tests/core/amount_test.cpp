#include "heed/core/amount.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heed {
namespace {

TEST(Amount, ReadsNumbersWithUnits) {
  EXPECT_EQ(parse_amount("4000"), (Amount{4000, AmountUnit::Steps}));
  EXPECT_EQ(parse_amount("12s"), (Amount{12, AmountUnit::Steps}));
  EXPECT_EQ(parse_amount("2ks"), (Amount{2000, AmountUnit::Steps}));
  EXPECT_EQ(parse_amount("12u"), (Amount{12, AmountUnit::Steps})) << "as steps were called";
  EXPECT_EQ(parse_amount("3k"), (Amount{3000, AmountUnit::Steps}));
  EXPECT_EQ(parse_amount("50Mt"), (Amount{50e6, AmountUnit::Tokens}));
  EXPECT_EQ(parse_amount("1.5Gt"), (Amount{1.5e9, AmountUnit::Tokens}));
  EXPECT_EQ(parse_amount("2.5e"), (Amount{2.5, AmountUnit::Epochs}));
  EXPECT_EQ(parse_amount("0"), Amount{});
}

TEST(Amount, RefusesEverythingElse) {
  for (const auto* text : {"", "t", "4x", "4 t", " 4", "4tt", "4kM", "nan", "inf", "1e5", "--4", "4m"}) {
    EXPECT_THROW(parse_amount(text), std::invalid_argument) << text;
  }
}

TEST(Amount, ReadsBackWhatItWrites) {
  EXPECT_EQ(format_amount({4000, AmountUnit::Steps}), "4000");
  EXPECT_EQ(format_amount({50e6, AmountUnit::Tokens}), "50000000t");
  EXPECT_EQ(format_amount({2.5, AmountUnit::Epochs}), "2.5e");
  for (const double value : {0.0, 0.1, 1e-7, 1.0 / 3, 12.0, 1e14, 1e15, 1e20, -3.5}) {
    for (const AmountUnit unit : {AmountUnit::Steps, AmountUnit::Tokens, AmountUnit::Epochs}) {
      EXPECT_EQ(parse_amount(format_amount({value, unit})), (Amount{value, unit})) << format_amount({value, unit});
    }
  }
}

TEST(Progress, AnswersInEveryUnit) {
  const Progress progress{.steps = 1, .tokens = 2, .epochs = 3};
  EXPECT_EQ(progress.in(AmountUnit::Steps), 1);
  EXPECT_EQ(progress.in(AmountUnit::Tokens), 2);
  EXPECT_EQ(progress.in(AmountUnit::Epochs), 3);
}

}  // namespace
}  // namespace heed
