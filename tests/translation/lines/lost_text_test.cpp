// Numbers and placeholders that a translation lacks.
#include "heed/translation/lines/lost_text.h"

#include <gtest/gtest.h>

namespace heed::translation {
namespace {

TEST(LostText, PlaceholdersMustBeThereAsOften) {
  EXPECT_FALSE(loses_placeholder("open %s at https://a.b/c", "%s bei https://a.b/c öffnen"));
  EXPECT_TRUE(loses_placeholder("open %s", "% s öffnen"));
  EXPECT_TRUE(loses_placeholder("%s and %s", "%s und"));
  EXPECT_FALSE(loses_placeholder("%s", "%s %s"));
  EXPECT_FALSE(loses_placeholder("50% of all", "die Hälfte"));
}

TEST(LostText, NumbersMayBeGroupedInOtherWays) {
  EXPECT_FALSE(loses_number("1,000.5 of 3", "3 von 1.000,5"));
  EXPECT_FALSE(loses_number("10,000 words", "10 000 Wörter"));
  EXPECT_FALSE(loses_number("in 2024, 500 people", "im Jahr 2024 500 Menschen"));
  EXPECT_TRUE(loses_number("12 of 30", "12 von 3"));
  EXPECT_TRUE(loses_number("7 and 7", "7"));
  EXPECT_FALSE(loses_number("no number", "5"));
}

}  // namespace
}  // namespace heed::translation
