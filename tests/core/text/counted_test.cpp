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

}  // namespace
}  // namespace heed
