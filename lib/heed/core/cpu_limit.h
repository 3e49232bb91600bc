// The processors that this process may use. They are limited by its affinity mask and by the CPU quota of its control
// groups. Containers (`docker --cpus`, Kubernetes, systemd, Slurm) set the quota; all cores remain visible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

struct CpuLimit {
  int64_t cores = 1;                           ///< cores of the affinity mask (sched_getaffinity)
  std::optional<double> quota = std::nullopt;  ///< CPU seconds per second of clock time; absent: no quota

  /// The cores, or the quota if it is less. A fraction counts as a whole thread: 1.5 gives 2. At least 1.
  int64_t threads() const;
  /// Whether threads() is less than the cores because of the quota.
  bool quota_decides() const { return threads() < cores; }
};

/// The current limit of this process.
CpuLimit cpu_limit();

/// The smallest quota of this process's control group and all visible groups above it. It is read from `cpu.max` of
/// cgroup version 2, or `cpu.cfs_quota_us` / `cpu.cfs_period_us` of version 1. Absent: no quota. root: the folder that
/// has proc/ and the mounted control groups; only tests pass one.
std::optional<double> cpu_quota(const std::string& root = "");

}  // namespace heed
