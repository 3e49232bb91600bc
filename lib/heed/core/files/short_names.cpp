#include "heed/core/files/short_names.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace heed {
namespace {

namespace fs = std::filesystem;

/// The path without what does not name anything: "models/" is models, "." is the current folder's name.
fs::path named(const std::string& path) {
  fs::path name = fs::path(path).lexically_normal();
  std::error_code unknown;
  if (name == "." || name == ".." || *std::prev(name.end()) == "..")
    name = fs::absolute(name, unknown).lexically_normal();
  return name.has_filename() ? name : name.parent_path();
}

/// The last `count` components of a path.
std::string ending(const fs::path& path, std::ptrdiff_t count) {
  fs::path ending;
  for (auto part = std::prev(path.end(), std::min(count, std::distance(path.begin(), path.end()))); part != path.end();
       ++part) {
    ending /= *part;
  }
  return ending.string();
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::ptrdiff_t longest = 1;
  for (const std::string& path : paths) {
    const fs::path name = named(path);
    longest = std::max(longest, std::distance(name.begin(), name.end()));
  }
  for (std::ptrdiff_t count = 1; count <= longest; ++count) {
    std::vector<std::string> names;
    for (const std::string& path : paths)
      names.push_back(path.empty() || path == "-" ? path : ending(named(path), count));
    if (std::set(names.begin(), names.end()).size() == names.size()) return names;
  }
  return paths;
}

}  // namespace heed
