#include "heed/core/cpu_limit.h"

#include <sched.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

#include "heed/core/parsed_number.h"

namespace heed {
namespace {

/// A mounted tree of control groups that may limit the CPU.
struct CgroupMount {
  std::string group;  ///< the group at the mount point
  std::string point;
  bool is_v2 = false;
};

/// Decodes a path in /proc/self/mountinfo, where a blank is \040.
std::string unescaped(const std::string& path) {
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 3 < path.size()) {
      text += static_cast<char>(std::stoi(path.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      text += path[i];
    }
  }
  return text;
}

/// Whether "cpu" is one of the comma-separated names: "rw,cpu,cpuacct".
bool names_cpu(const std::string& names) { return ("," + names + ",").find(",cpu,") != std::string::npos; }

/// Parses a line of /proc/self/mountinfo: ID PARENT DEVICE ROOT POINT OPTIONS [FIELDS...] - TYPE SOURCE OPTIONS.
std::optional<CgroupMount> cgroup_mount(const std::string& line) {
  std::istringstream stream(line);
  const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
  const auto dash = std::ranges::find(words, "-");
  if (words.size() < 6 || words.end() - dash < 4) return std::nullopt;
  const bool is_v2 = dash[1] == "cgroup2";
  if (!is_v2 && (dash[1] != "cgroup" || !names_cpu(dash[3]))) return std::nullopt;
  return CgroupMount{.group = unescaped(words[3]), .point = unescaped(words[4]), .is_v2 = is_v2};
}

/// This process's group in a tree. The lines of /proc/self/cgroup are "0::/group" (version 2) and
/// "4:cpu,cpuacct:/group" (version 1).
std::optional<std::string> own_group(const std::string& path, bool is_v2) {
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (is_v2 ? line.starts_with("0::") : names_cpu(controllers)) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The whole numbers at the start of a small file, up to the first other word, such as "max".
std::vector<int64_t> numbers_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<int64_t> numbers;
  for (std::string word; file >> word;) {
    const auto number = parsed_number<int64_t>(word);
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

/// The quota of one group, without those above it. A root group has no such files. -1 or "max" means no quota.
std::optional<double> own_quota(const std::filesystem::path& group, bool is_v2) {
  std::vector<int64_t> numbers = numbers_in(group / (is_v2 ? "cpu.max" : "cpu.cfs_quota_us"));
  if (!is_v2) std::ranges::copy(numbers_in(group / "cpu.cfs_period_us"), std::back_inserter(numbers));
  if (numbers.size() != 2 || numbers[0] <= 0 || numbers[1] <= 0) return std::nullopt;
  return static_cast<double>(numbers[0]) / static_cast<double>(numbers[1]);
}

/// The path of `group` relative to the mount point. It is "" if the mount shows another part of the tree. This is so
/// inside a container, where the mount point is the container's own group.
std::string below_mount(const CgroupMount& mount, const std::string& group) {
  const std::string shown = mount.group == "/" ? "" : mount.group;
  const bool is_below = group.starts_with(shown + "/") && group.find("/..") == std::string::npos;
  return is_below ? group.substr(shown.size()) : "";
}

std::optional<double> smallest_quota(const std::string& root, const CgroupMount& mount, const std::string& group) {
  std::optional<double> smallest;
  std::string below = below_mount(mount, group);
  while (true) {
    if (const auto quota = own_quota(root + mount.point + below, mount.is_v2)) {
      smallest = std::min(*quota, smallest.value_or(*quota));
    }
    if (below.empty()) return smallest;
    below.resize(below.rfind('/'));
  }
}

int64_t affinity_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

int64_t CpuLimit::threads() const {
  if (!quota) return cores;
  return std::clamp<int64_t>(static_cast<int64_t>(std::ceil(*quota)), 1, cores);
}

std::optional<double> cpu_quota(const std::string& root) {
  std::optional<double> smallest;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const auto mount = cgroup_mount(line);
    if (!mount) continue;
    const auto group = own_group(root + "/proc/self/cgroup", mount->is_v2);
    if (!group) continue;
    if (const auto quota = smallest_quota(root, *mount, *group)) {
      smallest = std::min(*quota, smallest.value_or(*quota));
    }
  }
  return smallest;
}

CpuLimit cpu_limit() { return {.cores = affinity_cores(), .quota = cpu_quota()}; }

}  // namespace heed
