#include "heed/core/enum_names.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace heed {
namespace {

enum class Season { Spring, LateSummer };
constexpr auto option_names(Season) {
  return std::array{std::pair{Season::Spring, "spring"}, std::pair{Season::LateSummer, "late-summer"}};
}

TEST(EnumNames, ValuesAndNamesFindEachOther) {
  EXPECT_EQ(enum_name(Season::LateSummer), "late-summer");
  EXPECT_EQ(enum_value<Season>("late-summer"), Season::LateSummer);
  EXPECT_EQ(enum_value<Season>("spring"), Season::Spring);
}

TEST(EnumNames, OtherNamesAreNoValue) {
  EXPECT_EQ(enum_value<Season>("Spring"), std::nullopt);
  EXPECT_EQ(enum_value<Season>(""), std::nullopt);
}

}  // namespace
}  // namespace heed
