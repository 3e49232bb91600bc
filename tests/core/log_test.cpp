#include "heed/core/log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
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

/// A sink that waits for a lock, as Python's does for the GIL, stops no thread that has that lock.
TEST(Log, AConcurrentSinkHoldsNobodyUp) {
  std::mutex gil;
  std::atomic<int> waiting = 0, seen = 0;
  set_concurrent_log_sink([&](LogLevel, std::string_view message) {
    ++waiting;
    if (message == "worker") gil.lock();
    ++seen;
    if (message == "worker") gil.unlock();
  });
  gil.lock();
  std::jthread worker([] { log_info("worker"); });
  while (waiting == 0) std::this_thread::yield();
  log_info("main");  // while the worker is in the sink
  EXPECT_EQ(seen, 1);
  gil.unlock();
  worker.join();
  set_log_sink({});
  EXPECT_EQ(seen, 2);
}

TEST(Log, NobodyIsInASinkThatWasReplaced) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<bool> reached = false, inside = false;
    set_log_sink([&](LogLevel, std::string_view) {
      inside = reached = true;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      inside = false;
    });
    std::jthread thread([] {
      for (int i = 0; i < 5; ++i) log_info("x");
    });
    while (!reached) std::this_thread::yield();
    set_log_sink({});
    EXPECT_FALSE(inside);
  }
}

}  // namespace
}  // namespace heed
