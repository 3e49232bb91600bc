// Runs independent work on several threads, without LibTorch.
#pragma once

#include <cstdint>
#include <functional>

namespace heed {

/// The number of threads that this process can use at the same time: the current CpuLimit::threads(). The default for
/// every number of threads.
int64_t available_cores();

/// Splits [0, count) into chunks of `chunk` (the last may be shorter) and calls work(worker, begin, end) once for each.
/// Every worker takes the next free chunk. Worker numbers are 0-based and less than `threads`, so that each worker can
/// have its own buffers. With one thread, the caller does the work. The first exception ends the work and is rethrown
/// here.
void parallel_chunks(int64_t threads, int64_t count, int64_t chunk,
                     const std::function<void(int64_t worker, int64_t begin, int64_t end)>& work);

}  // namespace heed
