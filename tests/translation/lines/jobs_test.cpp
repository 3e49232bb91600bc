#include "heed_torch/translation/lines/jobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <torch/torch.h>

namespace heed::translation {
namespace {

TEST(RunJobs, RunsEveryJobOnce) {
  for (const int64_t workers : {1, 2, 5}) {
    std::vector<std::atomic<int>> runs(20);
    run_jobs(workers, 20, [&](int64_t job) { ++runs[static_cast<size_t>(job)]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
  run_jobs(3, 0, [](int64_t) { FAIL(); });
}

TEST(RunJobs, OneWorkerIsTheCaller) {
  run_jobs(1, 2, [caller = std::this_thread::get_id()](int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(RunJobs, WorkersUseOneThreadEachAndLeaveTorchsNumberAlone) {
  const int before = at::get_num_threads();
  at::set_num_threads(3);
  run_jobs(2, 4, [](int64_t) { EXPECT_EQ(at::get_num_threads(), 1); });
  EXPECT_EQ(at::get_num_threads(), 3);
  at::set_num_threads(before);
}

TEST(RunJobs, AnExceptionEndsTheWork) {
  constexpr int64_t kJobs = 10'000;
  for (const int64_t workers : {1, 2}) {
    std::atomic<int> runs = 0;
    const auto run = [&](int64_t job) {
      ++runs;
      if (job == 3) throw std::runtime_error("stop");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // else all may be done before the exception is caught
    };
    EXPECT_THROW(run_jobs(workers, kJobs, run), std::runtime_error);
    EXPECT_LT(runs, kJobs);
  }
}

TEST(WorkerCount, IsOnePerThreadOnACpu) {
  EXPECT_EQ(worker_count({}, at::kCPU), at::get_num_threads());
  EXPECT_EQ(worker_count({}, at::Device(at::kCUDA, 0)), 1);
  EXPECT_EQ(worker_count(7, at::kCPU), 7);
}

}  // namespace
}  // namespace heed::translation
