// The control groups (cgroups, versions 1 and 2) of this process. Containers limit CPU time and memory with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heed {

struct ControlGroup {
  std::filesystem::path folder;  ///< has the group's files, such as cpu.max
  bool is_v2 = false;            ///< cgroup version 2

  /// The whole numbers at the start of a file of the group, up to the first other word, such as "max". Empty without
  /// the file: the group at the root of the tree has no limits.
  std::vector<int64_t> numbers(const std::string& file) const;
};

/// This process's group and all visible groups above it, each of which may have limits. controller: "cpu" or "memory".
/// root: the folder that has proc/ and the mounted control groups; only tests pass one.
std::vector<ControlGroup> control_groups(const std::string& controller, const std::string& root);

}  // namespace heed
