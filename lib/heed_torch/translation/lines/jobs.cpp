#include "heed_torch/translation/lines/jobs.h"

#include <ATen/Parallel.h>

#include "heed/core/parallel.h"
#include "heed/core/scope_exit.h"

namespace heed::translation {

void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) {
  if (workers <= 1) return parallel_chunks(1, jobs, 1, [&](int64_t, int64_t job, int64_t) { run(job); });
  // LibTorch keeps the number of threads as a global state, in addition to that of each thread.
  const ScopeExit restore([before = at::get_num_threads()] { at::set_num_threads(before); });
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
