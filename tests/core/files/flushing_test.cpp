// What is written reaches the disk before it takes the place of what was there. The program's own fsync and rename
// stand here before the C library's.
#include "heed/core/files/atomic_file.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "support/temporary_directory.h"

namespace heed {
namespace {

/// What was called since the last look.
std::vector<std::string>& calls() {
  static std::vector<std::string> seen;
  return seen;
}

}  // namespace
}  // namespace heed

extern "C" int fsync(int descriptor) {
  heed::calls().emplace_back("fsync");
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  heed::calls().emplace_back("rename");
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace heed {
namespace {

using Calls = std::vector<std::string>;

TEST(Flushing, AFileIsOnTheDiskBeforeItTakesItsPlace) {
  const testing::TemporaryDirectory directory;
  calls().clear();
  write_file(directory.file("model"), "content");
  EXPECT_EQ(calls(), (Calls{"fsync", "rename"}));
}

TEST(Flushing, ADirectoryIsFlushedOnRequest) {
  const testing::TemporaryDirectory directory;
  calls().clear();
  sync_directory(directory.path());
  EXPECT_EQ(calls(), Calls{"fsync"});
}

}  // namespace
}  // namespace heed
