#include "heed/core/control_groups.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "heed/core/parsed_number.h"

namespace heed {
namespace {

/// A mounted tree of control groups of one controller, or of all of them in version 2.
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

/// Whether `name` is one of the comma-separated names: "rw,cpu,cpuacct".
bool has_name(const std::string& names, const std::string& name) {
  return ("," + names + ",").find("," + name + ",") != std::string::npos;
}

/// Parses a line of /proc/self/mountinfo: ID PARENT DEVICE ROOT POINT OPTIONS [FIELDS...] - TYPE SOURCE OPTIONS.
std::optional<CgroupMount> cgroup_mount(const std::string& line, const std::string& controller) {
  std::istringstream stream(line);
  const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
  const auto dash = std::ranges::find(words, "-");
  if (words.size() < 6 || words.end() - dash < 4) return std::nullopt;
  const bool is_v2 = dash[1] == "cgroup2";
  if (!is_v2 && (dash[1] != "cgroup" || !has_name(dash[3], controller))) return std::nullopt;
  return CgroupMount{.group = unescaped(words[3]), .point = unescaped(words[4]), .is_v2 = is_v2};
}

/// This process's group in a tree. The lines of /proc/self/cgroup are "0::/group" (version 2) and
/// "4:cpu,cpuacct:/group" (version 1).
std::optional<std::string> own_group(const std::string& path, const std::string& controller, bool is_v2) {
  std::ifstream lines(path);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    if (is_v2 ? line.starts_with("0::") : has_name(names, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The path of `group` relative to the mount point. It is "" if the mount shows another part of the tree. This is so
/// inside a container, where the mount point is the container's own group.
std::string below_mount(const CgroupMount& mount, const std::string& group) {
  const std::string shown = mount.group == "/" ? "" : mount.group;
  const bool is_below = group.starts_with(shown + "/") && group.find("/..") == std::string::npos;
  return is_below ? group.substr(shown.size()) : "";
}

}  // namespace

std::vector<int64_t> ControlGroup::numbers(const std::string& file) const {
  std::ifstream words(folder / file);
  std::vector<int64_t> numbers;
  for (std::string word; words >> word;) {
    const auto number = parsed_number<int64_t>(word);
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<ControlGroup> control_groups(const std::string& controller, const std::string& root) {
  std::vector<ControlGroup> groups;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const auto mount = cgroup_mount(line, controller);
    if (!mount) continue;
    const auto group = own_group(root + "/proc/self/cgroup", controller, mount->is_v2);
    if (!group) continue;
    std::string below = below_mount(*mount, *group);
    groups.push_back({.folder = root + mount->point + below, .is_v2 = mount->is_v2});
    while (!below.empty()) {
      below.resize(below.rfind('/'));
      groups.push_back({.folder = root + mount->point + below, .is_v2 = mount->is_v2});
    }
  }
  return groups;
}

}  // namespace heed
