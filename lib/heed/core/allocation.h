// Settings of the C library's allocator for the large temporaries of tensor work.
#pragma once

#include <cstddef>

namespace heed {

/// Keeps freed memory in the process for reuse. By default glibc maps every allocation above a threshold anew and gives
/// it back when freed, so that each update of training pays page faults for the same hundreds of megabytes again. Call
/// once, at the start of a program with tensors; does nothing with another C library.
void reuse_large_allocations();

/// Asks the system to back the next `bytes` that are allocated with large pages (Linux: transparent huge pages), for
/// programs that run so shortly that a page fault for every 4 KiB of their tables is much of their time. Call once,
/// early; memory that is never used costs nothing. Does nothing where that is not to be had.
void prefer_large_pages(size_t bytes);

}  // namespace heed
