// Settings of the C library's allocator for large temporary tensors.
#pragma once

#include <cstddef>

namespace heed {

/// Keeps freed memory in the process for reuse. By default glibc maps every allocation above a threshold and unmaps it
/// when it is freed. So every training step has page faults for the same hundreds of megabytes. Call it once, at the
/// start of a program with tensors. Does nothing with other C libraries.
void keep_freed_memory();

/// Asks the system to use large pages for the next `bytes` that are allocated (Linux: transparent huge pages). This is
/// for short programs, which otherwise spend much of their time on page faults, one per 4 KiB of their tables. Call it
/// once, early. Memory that is never used costs nothing. Does nothing if the system has no such pages.
void use_huge_pages(size_t bytes);

}  // namespace heed
