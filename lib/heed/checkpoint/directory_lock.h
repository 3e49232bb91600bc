// Who writes into a model directory is alone: a training, or a command that adds to the model.
#pragma once

#include <string>

namespace heed::checkpoint {

/// Keeps others out of a directory that write there, for as long as it lives.
class DirectoryLock {
 public:
  /// Throws Error when another process (or another lock of this one) holds it.
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace heed::checkpoint
