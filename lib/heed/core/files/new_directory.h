// Directories that appear whole or not at all.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "heed/core/files/created_directories.h"

namespace heed {

/// A directory that is created under a temporary name and renamed when it is complete. An existing empty directory may
/// be a mount point or a working directory, so it is kept. Then files are created in a hidden directory inside it and
/// moved up one after the other.
class NewDirectory {
 public:
  /// Creates the hidden directory. option: the option that names the directory, for messages. Throws ConfigError if
  /// `path` exists and is not an empty directory. Throws FileError if nothing can be created there. So the error is
  /// known before the content is computed. Removes what killed processes left for the same directory.
  NewDirectory(std::string option, std::string path);
  /// Removes the hidden directory, unless fill() has succeeded.
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  /// Calls write(directory), which writes files into the hidden directory, then moves them to the final path. Throws
  /// what write throws, with the final path in the message; FileError; ConfigError if the directory is not empty any
  /// more. After an exception nothing has appeared.
  void fill(const std::function<void(const std::string& directory)>& write);

 private:
  void require_empty() const;
  void put_beside();
  void put_inside() const;

  std::string option_;
  std::string path_;   // as given
  std::string final_;  // absolute, without links
  bool exists_;        // as an empty directory
  std::optional<CreatedDirectories> parents_;
  std::string hidden_;  // directory to write files in; empty: it was moved to the final path
  int lock_ = -1;       // on the hidden directory
};

}  // namespace heed
