#include "heed/core/allocation.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include <sys/resource.h>

namespace heed {
namespace {

/// Page faults of writing to a new block, which is freed again.
long faults_of_a_block(size_t bytes) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  auto* block = static_cast<volatile char*>(std::malloc(bytes));
  for (size_t i = 0; i < bytes; i += 4096) block[i] = 1;
  std::free(const_cast<char*>(block));
  getrusage(RUSAGE_SELF, &after);
  return after.ru_minflt - before.ru_minflt;
}

TEST(Allocation, LargeBlocksAreFreshOnlyOnce) {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "another allocator";
#else
  constexpr size_t kBytes = 200 << 20;
  keep_freed_memory();
  faults_of_a_block(kBytes);
  EXPECT_LT(faults_of_a_block(kBytes), 100);  // 51,200 pages
#endif
}

}  // namespace
}  // namespace heed
