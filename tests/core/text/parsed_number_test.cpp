#include "heed/core/parsed_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace heed {
namespace {

TEST(ParsedNumber, IsAllOfTheText) {
  EXPECT_EQ(parsed_number<int64_t>("0017"), 17);
  EXPECT_EQ(parsed_number<int64_t>("-3"), -3);
  EXPECT_EQ(parsed_number<double>("2.5e1"), 25);
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "one"}) {
    EXPECT_FALSE(parsed_number<int64_t>(text).has_value()) << text;
  }
}

TEST(ParsedNumber, FitsItsType) {
  EXPECT_EQ(parsed_number<int64_t>("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_FALSE(parsed_number<int64_t>("9223372036854775808").has_value());
}

}  // namespace
}  // namespace heed
