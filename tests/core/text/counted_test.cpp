#include "heed/core/text/counted.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heed {
namespace {

TEST(Counted, OneThingIsNoPlural) {
  EXPECT_EQ(counted(1, "line"), "1 line");
  EXPECT_EQ(counted(0, "line"), "0 lines");
  EXPECT_EQ(counted(12, "unseen word"), "12 unseen words");
}

TEST(Listed, HasCommasAndAConjunction) {
  EXPECT_EQ(listed(std::vector<std::string>{}, "and"), "");
  EXPECT_EQ(listed(std::vector<std::string>{"a"}, "and"), "a");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b"}, "or"), "a or b");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}, "and"), "a, b and c");
}

TEST(FormatCount, SetsCommas) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(12345678), "12,345,678");
  EXPECT_EQ(format_count(-123456), "-123,456");
}

TEST(FormatDuration, TakesTwoUnits) {
  EXPECT_EQ(format_duration(0.4), "0 s");
  EXPECT_EQ(format_duration(59.4), "59 s");
  EXPECT_EQ(format_duration(59.6), "1 min 00 s");
  EXPECT_EQ(format_duration(3599), "59 min 59 s");
  EXPECT_EQ(format_duration(3600), "1 h 00 min");
  EXPECT_EQ(format_duration(86399), "23 h 59 min");
  EXPECT_EQ(format_duration(86400), "1 d 00 h");
  EXPECT_EQ(format_duration(273600), "3 d 04 h");
}

}  // namespace
}  // namespace heed
