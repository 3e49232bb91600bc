#include "heed/core/memory_limit.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/control_group_files.h"

namespace heed {
namespace {

class GroupMemoryLimit : public testing::ControlGroupFiles {
 protected:
  std::optional<int64_t> limit() const { return group_memory_limit(folder.path()); }
};

TEST_F(GroupMemoryLimit, IsNoneWithoutControlGroups) {
  EXPECT_EQ(limit(), std::nullopt);
  process("0::/a\n", "/", "/sys/fs/cgroup", "cgroup2");
  EXPECT_EQ(limit(), std::nullopt) << "a group without files";
  write("/sys/fs/cgroup/a/memory.max", "max\n");
  EXPECT_EQ(limit(), std::nullopt);
}

TEST_F(GroupMemoryLimit, IsThatOfTheContainersOwnGroupInVersion2) {
  process("0::/\n", "/", "/sys/fs/cgroup", "cgroup2");
  write("/sys/fs/cgroup/memory.max", "2147483648\n");
  EXPECT_EQ(limit(), 2147483648);
}

TEST_F(GroupMemoryLimit, IsTheSmallestOnThePathToTheRoot) {
  process("0::/jobs/one/step\n", "/", "/sys/fs/cgroup", "cgroup2");
  write("/sys/fs/cgroup/jobs/one/step/memory.max", "max\n");
  write("/sys/fs/cgroup/jobs/one/memory.max", "8000000000\n");
  write("/sys/fs/cgroup/jobs/memory.max", "3000000000\n");
  write("/sys/fs/cgroup/jobs/two/memory.max", "1000000000\n");
  EXPECT_EQ(limit(), 3000000000);
}

TEST_F(GroupMemoryLimit, OfVersion1IsThatOfTheMemoryController) {
  process("5:memory:/docker/abc\n4:cpu,cpuacct:/other\n0::/x\n", "/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup",
          "rw,cpu,cpuacct");
  process("5:memory:/docker/abc\n4:cpu,cpuacct:/other\n0::/x\n", "/", "/sys/fs/cgroup/memory", "cgroup", "rw,memory");
  write("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "536870912\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limit(), 536870912);
}

TEST(MemoryLimit, IsTheSmallerOfMachineAndGroup) {
  EXPECT_EQ((MemoryLimit{.machine = 64}.bytes()), 64);
  EXPECT_FALSE((MemoryLimit{.machine = 64}.group_decides()));
  EXPECT_EQ((MemoryLimit{.machine = 64, .group = 2}.bytes()), 2);
  EXPECT_TRUE((MemoryLimit{.machine = 64, .group = 2}.group_decides()));
  EXPECT_FALSE((MemoryLimit{.machine = 64, .group = 9223372036854771712}.group_decides()));
}

TEST(MemoryLimit, OfThisMachineIsItsMemory) { EXPECT_GT(memory_limit().machine, 1 << 26); }

}  // namespace
}  // namespace heed
