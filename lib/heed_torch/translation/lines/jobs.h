// Runs independent jobs on several threads that use torch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <c10/core/Device.h>

namespace heed::translation {

/// Calls run(job) for each job in [0, jobs); each worker takes the next free one. With several workers, each uses torch
/// with one thread. With one, the calling thread uses all of torch's threads. The first exception stops the work and is
/// rethrown here.
void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run);

/// The requested number of workers. If absent: one per torch thread on a CPU, 1 on other devices.
int64_t worker_count(std::optional<int64_t> asked, at::Device device);

}  // namespace heed::translation
