// Directories that appear whole or not at all.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "heed/core/files/made_directories.h"

namespace heed {

/// A directory that is made under a temporary name and renamed once, when all is in it. An empty directory that exists
/// already may be a mount point, or somebody's working directory: it stays the same directory, and the files are made
/// in a hidden directory inside it, from where they get their places one right after the other.
class NewDirectory {
 public:
  /// Makes the hidden directory. option: what names the directory, for messages. Throws ConfigError where `path` is
  /// neither new nor an empty directory; FileError where nothing can be made there: so it is known before the content
  /// is made. Removes what killed processes left of the same directory.
  NewDirectory(std::string option, std::string path);
  /// Removes what was made, unless it was filled.
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  /// Calls write(directory), which writes files into the hidden directory, and gives them their places. Throws what
  /// write throws, with the final path in the message; FileError; ConfigError where the directory is not empty any
  /// more. Nothing appears then.
  void fill(const std::function<void(const std::string& directory)>& write);

 private:
  void require_empty() const;
  int make_hidden(const char* name);
  void put_beside();
  void put_inside() const;

  std::string option_;
  std::string path_;   // as given
  std::string final_;  // absolute, without links
  bool exists_;        // as an empty directory
  std::optional<MadeDirectories> parents_;
  std::string hidden_;  // where files are written; empty: it has its place
  int lock_ = -1;       // on it
};

}  // namespace heed
