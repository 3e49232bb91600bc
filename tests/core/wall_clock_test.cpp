#include "heed/core/wall_clock.h"

#include <gtest/gtest.h>

#include "support/time_zone.h"

namespace heed {
namespace {

constexpr std::time_t kMoment = 1'772'597'167;  // 2026-03-04 04:06:07 UTC

TEST(WallClock, TellsLocalTimeWithItsOffset) {
  {
    const testing::TimeZone zone("UTC0");
    EXPECT_EQ(iso_time(kMoment), "2026-03-04T04:06:07+00:00");
  }
  {
    const testing::TimeZone zone("IST-5:30");
    EXPECT_EQ(iso_time(kMoment), "2026-03-04T09:36:07+05:30");
  }
  const testing::TimeZone zone("EST5");
  EXPECT_EQ(iso_time(kMoment), "2026-03-03T23:06:07-05:00");
  EXPECT_EQ(local_date(kMoment), "2026-03-03");
  EXPECT_EQ(local_time(kMoment), "23:06:07");
}

TEST(WallClock, OfTheSystemGoesOn) {
  EXPECT_NEAR(static_cast<double>(system_clock()()), static_cast<double>(std::time(nullptr)), 2);
}

}  // namespace
}  // namespace heed
