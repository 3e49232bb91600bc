#include "heed/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "heed/core/cpu_limit.h"
#include "heed/core/error.h"

namespace heed {
namespace {

class ChunkQueue {
 public:
  ChunkQueue(int64_t count, int64_t chunk, const std::function<void(int64_t, int64_t, int64_t)>& work)
      : count_(count), chunk_(chunk), work_(work) {}

  void serve(int64_t worker) {
    try {
      for (int64_t begin = next_.fetch_add(chunk_); begin < count_; begin = next_.fetch_add(chunk_)) {
        work_(worker, begin, std::min(begin + chunk_, count_));
      }
    } catch (...) {
      next_ = count_;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  int64_t count_;
  int64_t chunk_;
  const std::function<void(int64_t, int64_t, int64_t)>& work_;
  std::atomic<int64_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

int64_t available_cores() { return cpu_limit().threads(); }

void parallel_chunks(int64_t threads, int64_t count, int64_t chunk,
                     const std::function<void(int64_t worker, int64_t begin, int64_t end)>& work) {
  check(threads >= 1 && chunk >= 1, "parallel_chunks: threads and chunk must be at least 1");
  ChunkQueue queue(count, chunk, work);
  const int64_t workers = std::min(threads, (count + chunk - 1) / chunk);
  std::vector<std::jthread> others;
  for (int64_t worker = 1; worker < workers; ++worker) others.emplace_back([&queue, worker] { queue.serve(worker); });
  queue.serve(0);
  others.clear();
  queue.rethrow();
}

}  // namespace heed
