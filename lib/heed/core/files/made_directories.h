// Directories that are made for something, and vanish when nothing came of it.
#pragma once

#include <string>
#include <vector>

namespace heed {

/// A directory and those above it, made where they do not exist. At its end it removes those that it made and that are
/// empty, so that a command that fails leaves none behind.
class MadeDirectories {
 public:
  /// shown: the name for messages. Throws FileError; nothing is made then.
  MadeDirectories(const std::string& path, const std::string& shown);
  ~MadeDirectories();
  MadeDirectories(const MadeDirectories&) = delete;
  MadeDirectories& operator=(const MadeDirectories&) = delete;

 private:
  std::vector<std::string> made_;  // absolute, the lowest first
};

}  // namespace heed
