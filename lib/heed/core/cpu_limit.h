// The processors that this process may use: those of its affinity mask, and the CPU quota of its control groups, by
// which containers (`docker --cpus`, Kubernetes, systemd, Slurm) limit it without hiding a core.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

struct CpuLimit {
  int64_t cores = 1;                           ///< cores of the affinity mask (sched_getaffinity)
  std::optional<double> quota = std::nullopt;  ///< CPU seconds per second of clock time; absent: no quota

  /// The cores, or the quota if that is less. A fraction counts as a whole thread: 1.5 gives 2. At least 1.
  int64_t threads() const;
  /// Whether the quota decides threads().
  bool quota_decides() const { return threads() < cores; }
};

/// The limit of this process at this moment.
CpuLimit cpu_limit();

/// The smallest quota among this process's control group and all groups above it that are visible: `cpu.max` of cgroup
/// version 2, `cpu.cfs_quota_us` / `cpu.cfs_period_us` of version 1. Absent: no quota.
/// root: the folder that has proc/ and the mounted control groups; tests give their own.
std::optional<double> cpu_quota(const std::string& root = "");

}  // namespace heed
