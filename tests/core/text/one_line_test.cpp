#include "heed/core/text/one_line.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(OneLine, EachLineEndBecomesASpace) {
  EXPECT_EQ(on_one_line("a\r\nb\nc\r"), "a  b c ");
  EXPECT_EQ(on_one_line("a\tb"), "a\tb");
}

}  // namespace
}  // namespace heed
