#include "heed/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace heed {
namespace {

TEST(ParallelChunks, EveryIndexIsWorkedOnceByAWorkerWithAValidNumber) {
  for (const int64_t threads : {1, 2, 5}) {
    for (const int64_t count : {0, 1, 7, 100}) {
      std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
      parallel_chunks(threads, count, 3, [&](int64_t worker, int64_t begin, int64_t end) {
        EXPECT_GE(worker, 0);
        EXPECT_LT(worker, threads);
        EXPECT_TRUE(end - begin == 3 || end == count);
        for (int64_t i = begin; i < end; ++i) ++visits[static_cast<size_t>(i)];
      });
      for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
  }
}

TEST(ParallelChunks, OneThreadIsTheCallers) {
  parallel_chunks(1, 4, 1, [caller = std::this_thread::get_id()](int64_t worker, int64_t, int64_t) {
    EXPECT_EQ(worker, 0);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(ParallelChunks, AnExceptionEndsTheWorkAndReachesTheCaller) {
  for (const int64_t threads : {1, 3}) {
    std::atomic<int64_t> worked{0};
    const auto work = [&](int64_t, int64_t begin, int64_t) {
      if (begin == 5) throw std::runtime_error("five");
      ++worked;
    };
    EXPECT_THROW(parallel_chunks(threads, 1'000'000, 1, work), std::runtime_error);
    EXPECT_LT(worked, 1'000'000);
  }
}

TEST(ParallelChunks, AProcessHasACore) { EXPECT_GE(available_cores(), 1); }

}  // namespace
}  // namespace heed
