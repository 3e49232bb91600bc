#include "heed/translation/jobs.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <ATen/Parallel.h>

namespace heed::translation {
namespace {

class Workers {
 public:
  Workers(int64_t jobs, const std::function<void(int64_t)>& run) : jobs_(jobs), run_(run) {}

  void work() {
    try {
      for (int64_t job = next_++; job < jobs_; job = next_++) run_(job);
    } catch (...) {
      next_ = jobs_;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  int64_t jobs_;
  const std::function<void(int64_t)>& run_;
  std::atomic<int64_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) {
  Workers all(jobs, run);
  if (workers <= 1) {
    all.work();
  } else {
    const int threads_before = at::get_num_threads();
    std::vector<std::jthread> threads;
    for (int64_t i = 0; i < std::min(workers, jobs); ++i) {
      threads.emplace_back([&all] {
        at::set_num_threads(1);
        all.work();
      });
    }
    threads.clear();
    // The number is torch's own state besides that of each thread.
    at::set_num_threads(threads_before);
  }
  all.rethrow();
}

int64_t worker_count(std::optional<int64_t> asked, at::Device device) {
  if (asked) return *asked;
  return device.is_cpu() ? at::get_num_threads() : 1;
}

}  // namespace heed::translation
