// The memory that this process may use. It is limited by the machine's memory and by the control groups of a container
// (`docker --memory`, Kubernetes, systemd, Slurm). Linux ends a process of a group that uses more, without a message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace heed {

struct MemoryLimit {
  int64_t machine = 0;                          ///< bytes of memory that this machine has
  std::optional<int64_t> group = std::nullopt;  ///< bytes that the control groups allow; absent: no limit

  int64_t bytes() const { return std::min(machine, group.value_or(machine)); }
  /// Whether bytes() is less than the machine's memory because of the control groups.
  bool group_decides() const { return bytes() < machine; }
};

/// The current limit of this process.
MemoryLimit memory_limit();

/// The smallest limit of this process's control group and all visible groups above it. It is read from `memory.max` of
/// cgroup version 2, or `memory.limit_in_bytes` of version 1, which exceeds any memory if there is no limit.
/// Absent: no limit. root: the folder that has proc/ and the mounted control groups; only tests pass one.
std::optional<int64_t> group_memory_limit(const std::string& root = "");

}  // namespace heed
