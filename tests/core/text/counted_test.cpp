#include "heed/core/text/counted.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(Counted, OneThingIsNoPlural) {
  EXPECT_EQ(counted(1, "line"), "1 line");
  EXPECT_EQ(counted(0, "line"), "0 lines");
  EXPECT_EQ(counted(12, "unseen word"), "12 unseen words");
}

}  // namespace
}  // namespace heed
