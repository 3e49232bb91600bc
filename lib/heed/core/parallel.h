// Runs independent pieces of work on several threads, without torch.
#pragma once

#include <cstdint>
#include <functional>

namespace heed {

/// How many threads this process can keep busy: CpuLimit::threads() of now. The default of every number of threads.
int64_t available_cores();

/// Cuts [0, count) into chunks of `chunk` (the last may be shorter) and calls work(worker, begin, end) once for each;
/// every worker takes the next chunk that is left. Workers are numbered from 0 and fewer than `threads`, so that each
/// can have buffers of its own; with one thread the caller works itself. The first exception ends the work and is
/// thrown here.
void parallel_chunks(int64_t threads, int64_t count, int64_t chunk,
                     const std::function<void(int64_t worker, int64_t begin, int64_t end)>& work);

}  // namespace heed
