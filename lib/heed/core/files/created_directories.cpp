#include "heed/core/files/created_directories.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "heed/core/error.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

/// The directory and its parents, as far as they do not exist, deepest first.
std::vector<std::string> missing(const fs::path& path) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (fs::path one = fs::absolute(path); !fs::exists(one, ignored) && one.has_relative_path(); one = one.parent_path())
    if (one.has_filename()) paths.push_back(one);  // "directory/" has an empty last part
  return paths;
}

/// Removes the directories that are empty.
void remove_all_of(const std::vector<std::string>& directories) {
  std::error_code ignored;
  for (const std::string& directory : directories) fs::remove(directory, ignored);
}

}  // namespace

CreatedDirectories::CreatedDirectories(const std::string& path, const std::string& shown) : made_(missing(path)) {
  std::error_code refused;
  fs::create_directories(path, refused);
  if (!refused && !fs::is_directory(path, refused) && !refused)
    refused = std::make_error_code(std::errc::not_a_directory);
  if (!refused) return;
  remove_all_of(made_);
  throw FileError(shown, "make", refused.value());
}

CreatedDirectories::~CreatedDirectories() { remove_all_of(made_); }

}  // namespace heed
