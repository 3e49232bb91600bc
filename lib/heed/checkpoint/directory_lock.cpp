#include "heed/checkpoint/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>

#include "heed/core/error.h"
#include "heed/core/log.h"

namespace heed::checkpoint {

DirectoryLock::DirectoryLock(const std::string& directory) {
  const std::string path = directory + "/.lock";
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(path, "open", errno);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  if (reason != EWOULDBLOCK) {
    log_warning(directory + ": this file system has no locks: take care that only one training runs here");
    return;
  }
  close(descriptor_);
  throw Error(directory + ": another training is running in this directory");
}

DirectoryLock::~DirectoryLock() { close(descriptor_); }

}  // namespace heed::checkpoint
