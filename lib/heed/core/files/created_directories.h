// Directories that are created for an output and removed if it fails.
#pragma once

#include <string>
#include <vector>

namespace heed {

/// Creates a directory and its missing parents. The destructor removes those that it created and that are empty, so
/// that a failed command leaves none.
class CreatedDirectories {
 public:
  /// shown: the name for messages. Throws FileError; then nothing is created.
  CreatedDirectories(const std::string& path, const std::string& shown);
  ~CreatedDirectories();
  CreatedDirectories(const CreatedDirectories&) = delete;
  CreatedDirectories& operator=(const CreatedDirectories&) = delete;

 private:
  std::vector<std::string> made_;  // absolute paths, deepest first
};

}  // namespace heed
