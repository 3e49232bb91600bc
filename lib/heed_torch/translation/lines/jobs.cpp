#include "heed_torch/translation/lines/jobs.h"

#include <ATen/Parallel.h>

#include "heed/core/parallel.h"

namespace heed::translation {
namespace {

/// Restores torch's number of threads. torch keeps it as a global state in addition to that of each thread.
class ThreadsKept {
 public:
  ThreadsKept() = default;
  ThreadsKept(const ThreadsKept&) = delete;
  ThreadsKept& operator=(const ThreadsKept&) = delete;
  ~ThreadsKept() { at::set_num_threads(before_); }

 private:
  int before_ = at::get_num_threads();
};

}  // namespace

void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) {
  if (workers <= 1) return parallel_chunks(1, jobs, 1, [&](int64_t, int64_t job, int64_t) { run(job); });
  const ThreadsKept kept;
  parallel_chunks(workers, jobs, 1, [&](int64_t, int64_t job, int64_t) {
    at::set_num_threads(1);
    run(job);
  });
}

int64_t worker_count(std::optional<int64_t> asked, at::Device device) {
  if (asked) return *asked;
  return device.is_cpu() ? at::get_num_threads() : 1;
}

}  // namespace heed::translation
