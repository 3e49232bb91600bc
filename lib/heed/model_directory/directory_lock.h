// Who writes into a model directory is alone: a training, or a command that adds to the model.
#pragma once

#include <string>

namespace heed::checkpoint {

/// Keeps others out of a directory that write there, for as long as it lives.
class DirectoryLock {
 public:
  /// Nothing in a model directory is written through a link: it would change what is elsewhere. Throws Error when the
  /// directory or its checkpoints hold a link, a pipe or a device, and when another process (or another lock of this
  /// one) holds the lock. Throws FileError.
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// Whether the directory is still where it was locked: neither moved, nor removed, nor replaced by another.
  bool in_place() const;

 private:
  void lock(const std::string& path);

  std::string path_;
  int directory_;  // open, so that no new directory gets its number
  int file_ = -1;
};

}  // namespace heed::checkpoint
