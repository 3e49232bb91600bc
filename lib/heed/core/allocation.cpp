#include "heed/core/allocation.h"

#include <cstdlib>  // __GLIBC__ is a macro of the C library's own headers

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdint>
#endif

namespace heed {

void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kLargest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
  mallopt(M_TOP_PAD, 64 << 20);
  // Other arenas than the main one have at most 64 MB, and larger allocations are mapped whatever the threshold is.
  mallopt(M_ARENA_MAX, 1);
#endif
}

void use_huge_pages([[maybe_unused]] size_t bytes) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  // The heap grows by this size and does not shrink when memory is freed.
  constexpr int kLargest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + page - 1) / page * page;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::free(memory);
#endif
}

}  // namespace heed
