#include "heed/core/cpu_limit.h"

#include <gtest/gtest.h>

#include <optional>

#include "heed/core/parallel.h"
#include "support/control_group_files.h"

namespace heed {
namespace {

class CpuQuota : public testing::ControlGroupFiles {
 protected:
  std::optional<double> quota() const { return cpu_quota(folder.path()); }
};

TEST_F(CpuQuota, IsNoneWithoutControlGroups) {
  EXPECT_EQ(quota(), std::nullopt);
  process("0::/a\n", "/", "/sys/fs/cgroup", "cgroup2");
  EXPECT_EQ(quota(), std::nullopt) << "a group without files";
  write("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuota, IsThatOfTheContainersOwnGroupInVersion2) {
  process("0::/\n", "/", "/sys/fs/cgroup", "cgroup2");
  write("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuQuota, IsTheSmallestOnThePathToTheRoot) {
  process("0::/jobs/one/step\n", "/", "/sys/fs/cgroup", "cgroup2");
  write("/sys/fs/cgroup/jobs/one/step/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/jobs/one/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/jobs/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/jobs/two/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota(), 3);
}

TEST_F(CpuQuota, IsThatOfVersion1) {
  process("5:memory:/other\n4:cpu,cpuacct:/docker/abc\n0::/x\n", "/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup",
          "rw,cpu,cpuacct");
  write("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "200000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuota, IsFoundWhereAContainerMountsItsOwnGroupAlone) {
  process("4:cpu:/docker/abc\n", "/docker/abc", "/sys/fs/cgroup/cpu", "cgroup", "rw,cpu");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuQuota, LooksNowhereOutsideTheMount) {
  process("0::/../../elsewhere\n", "/", "/sys/fs/cgroup", "cgroup2");
  write("/sys/elsewhere/cpu.max", "100000 100000\n");
  write("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 4);
}

TEST_F(CpuQuota, IsTheSmallerOfBothVersions) {
  process("4:cpu:/a\n0::/a\n", "/", "/sys/fs/cgroup/cpu", "cgroup", "rw,cpu");
  process("4:cpu:/a\n0::/a\n", "/", "/sys/fs/cgroup/with\\040blank", "cgroup2");
  write("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "400000\n");
  write("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/with blank/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2);
}

TEST(CpuLimit, RoundsAQuotaUpWithinTheCores) {
  EXPECT_EQ((CpuLimit{.cores = 64}.threads()), 64);
  EXPECT_EQ((CpuLimit{.cores = 64, .quota = 2}.threads()), 2);
  EXPECT_EQ((CpuLimit{.cores = 64, .quota = 1.5}.threads()), 2);
  EXPECT_EQ((CpuLimit{.cores = 64, .quota = 0.1}.threads()), 1);
  EXPECT_EQ((CpuLimit{.cores = 4, .quota = 6}.threads()), 4);
  EXPECT_FALSE((CpuLimit{.cores = 4, .quota = 6}.quota_decides()));
  EXPECT_TRUE((CpuLimit{.cores = 4, .quota = 3}.quota_decides()));
}

TEST(CpuLimit, OfThisProcessIsTheDefaultOfThreads) {
  EXPECT_GE(cpu_limit().cores, 1);
  EXPECT_EQ(available_cores(), cpu_limit().threads());
}

}  // namespace
}  // namespace heed
