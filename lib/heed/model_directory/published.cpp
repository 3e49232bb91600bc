#include "heed/model_directory/published.h"

#include <sys/stat.h>
#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

std::string manifest_text(const std::string& model) {
  try {
    return read_regular_file(model + "/manifest.json");
  } catch (const Error& error) {
    return error.what();
  }
}

/// The name and the inode number, because a checkpoint may be replaced by another one of the same training step.
std::string identity(const fs::path& path) {
  struct stat status{};
  const bool there = lstat(path.c_str(), &status) == 0;
  return fmt::format("{} {}", path.filename().string(), there ? status.st_ino : 0);
}

}  // namespace

std::string publication(const std::string& model) {
  std::vector<std::string> checkpoints;
  std::error_code none;
  fs::directory_iterator entry(model + "/checkpoints", none);
  for (; !none && entry != fs::directory_iterator(); entry.increment(none)) checkpoints.push_back(identity(*entry));
  std::ranges::sort(checkpoints);
  return fmt::format("{}\n{}", manifest_text(model), fmt::join(checkpoints, "\n"));
}

}  // namespace heed::checkpoint
