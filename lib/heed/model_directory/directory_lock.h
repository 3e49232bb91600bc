// The lock of a model directory. Only one process at a time writes into it: a training, or a command that adds to the
// model.
#pragma once

#include <string>

namespace heed::checkpoint {

/// Locks a directory against other writers until destroyed.
class DirectoryLock {
 public:
  /// Takes the lock. heed never writes through a link, because that would change files elsewhere. Throws Error if the
  /// directory or its checkpoints contain a link, a pipe or a device. Throws Error if another process, or another lock
  /// of this process, holds the lock. Throws FileError.
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// Whether the path still names the locked directory: it was not moved, removed or replaced.
  bool in_place() const;

 private:
  void lock(const std::string& path);

  std::string path_;
  int directory_;  // stays open, so that no new directory gets the same inode number
  int file_ = -1;
};

}  // namespace heed::checkpoint
