#include "heed/core/files/path_patterns.h"

#include <algorithm>
#include <filesystem>

#include <glob.h>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"

namespace heed {
namespace {

bool is_pattern(const std::string& entry) {
  return entry.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(entry);
}

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::ranges::sort(paths);
  return paths;
}

void append(std::vector<std::string>& paths, const std::string& entry, const std::string& option) {
  if (!is_pattern(entry)) {
    paths.push_back(entry);
    return;
  }
  const std::vector<std::string> found = matches(entry);
  if (found.empty()) throw ConfigError(option, fmt::format("has `{}`, which matches no file", entry));
  paths.insert(paths.end(), found.begin(), found.end());
}

void append_list(std::vector<std::string>& paths, const std::string& list, const std::string& option) {
  const size_t before = paths.size();
  for (const std::string& line : read_lines(list)) {
    if (!line.empty()) append(paths, std::filesystem::path(list).parent_path() / line, option);
  }
  if (paths.size() == before) throw ConfigError(option, fmt::format("has `@{}`, a list without files", list));
}

}  // namespace

std::vector<std::string> expand_paths(const std::vector<std::string>& entries, const std::string& option) {
  std::vector<std::string> paths;
  for (const std::string& entry : entries) {
    if (entry.starts_with('@')) {
      append_list(paths, entry.substr(1), option);
    } else {
      append(paths, entry, option);
    }
  }
  return paths;
}

}  // namespace heed
