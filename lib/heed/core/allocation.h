// How the C library's allocator treats the large temporaries of tensor work.
#pragma once

namespace heed {

/// Keeps freed memory in the process for reuse. By default glibc maps every allocation above a threshold anew and gives
/// it back when freed, so that each update of training pays page faults for the same hundreds of megabytes again. Call
/// once, at the start of a program with tensors; does nothing with another C library.
void reuse_large_allocations();

}  // namespace heed
