// Runs independent pieces of work on several threads that use torch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <c10/core/Device.h>

namespace heed::translation {

/// Calls run(job) for each job in [0, jobs), each worker taking the next one. With several workers each runs torch with
/// one thread; with one, the calling thread works with as many as torch is set to. The first exception ends the work
/// and is thrown here.
void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run);

/// The workers asked for or, without that, one for each of torch's threads on a CPU and 1 elsewhere.
int64_t worker_count(std::optional<int64_t> asked, at::Device device);

}  // namespace heed::translation
