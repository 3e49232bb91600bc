#include "heed/core/allocation.h"

#include <cstdlib>  // __GLIBC__ is a macro of the C library's own headers

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace heed {

void reuse_large_allocations() {
#if defined(__GLIBC__)
  constexpr int kLargest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
  mallopt(M_TOP_PAD, 64 << 20);
  // Arenas other than the main one end at 64 MB and map what is larger, whatever the threshold.
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace heed
