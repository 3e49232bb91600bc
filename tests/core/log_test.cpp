#include "heed/core/log.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace heed {
namespace {

TEST(Log, MessagesReachTheSinkWithTheirLevel) {
  std::vector<std::string> seen;
  set_log_sink([&](LogLevel level, std::string_view message) {
    seen.push_back((level == LogLevel::Warning ? "W " : "I ") + std::string(message));
  });
  log_info("one");
  log_warning("two");
  set_log_sink({});
  log_info("three");
  EXPECT_EQ(seen, (std::vector<std::string>{"I one", "W two"}));
}

TEST(Log, PrintsNothingOfItsOwn) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  log_info("one");
  log_warning("two");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Log, ThreadsTakeTurns) {
  int count = 0;  // the log's lock is its only protection
  set_log_sink([&](LogLevel, std::string_view) { ++count; });
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int j = 0; j < 1000; ++j) log_info("x");
      });
    }
  }
  set_log_sink({});
  EXPECT_EQ(count, 4000);
}

}  // namespace
}  // namespace heed
