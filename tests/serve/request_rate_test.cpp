#include "heed/serve/request_rate.h"

#include <gtest/gtest.h>

#include <string>

namespace heed::serve {
namespace {

using namespace std::chrono_literals;

TEST(RequestRate, LetsEachClientSendItsShare) {
  RequestRate rate(6);
  const auto now = RequestRate::Clock::now();
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(rate.refuse("a", now));
  EXPECT_EQ(rate.refuse("a", now), 10);
  EXPECT_EQ(rate.refuse("a", now + 4s), 6);
  EXPECT_FALSE(rate.refuse("b", now));
  EXPECT_FALSE(rate.refuse("a", now + 10s));
  EXPECT_TRUE(rate.refuse("a", now + 10s));
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(rate.refuse("a", now + 1h)) << "at most a minute's share is saved";
  EXPECT_TRUE(rate.refuse("a", now + 1h));
}

TEST(RequestRate, CountsTheAddressesOfAnIpv6NetworkTogether) {
  RequestRate rate(2);
  const auto now = RequestRate::Clock::now();
  EXPECT_FALSE(rate.refuse("2001:db8:1:2::1", now));
  EXPECT_FALSE(rate.refuse("2001:db8:1:2:aaaa::2", now));
  EXPECT_TRUE(rate.refuse("2001:db8:1:2:ffff:ffff:ffff:ffff", now));
  EXPECT_FALSE(rate.refuse("2001:db8:1:3::1", now));
  for (const char* address : {"10.0.0.1", "10.0.0.2", "::ffff:10.0.0.3", "::ffff:10.0.0.4"}) {
    EXPECT_FALSE(rate.refuse(address, now));
    EXPECT_FALSE(rate.refuse(address, now));
    EXPECT_TRUE(rate.refuse(address, now));
  }
}

TEST(RequestRate, WithoutALimitRefusesNobody) {
  RequestRate rate(0);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(rate.refuse("a"));
}

TEST(RequestRate, ForgetsClientsWhenThereAreTooMany) {
  RequestRate rate(1);
  const auto now = RequestRate::Clock::now();
  EXPECT_FALSE(rate.refuse("last", now + 100s));
  for (size_t i = 1; i < RequestRate::kMostClients; ++i) rate.refuse(std::to_string(i), now);
  EXPECT_FALSE(rate.refuse("new", now + 100s));
  EXPECT_TRUE(rate.refuse("last", now + 100s)) << "those that are not full again are kept";
}

}  // namespace
}  // namespace heed::serve
