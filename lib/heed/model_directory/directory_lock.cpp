#include "heed/model_directory/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>

#include "heed/core/error.h"
#include "heed/core/log.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

void refuse_link(const fs::directory_entry& entry) {
  const fs::file_status status = entry.symlink_status();
  if (fs::is_regular_file(status) || fs::is_directory(status)) return;
  const std::string problem =
      fs::is_symlink(status)
          ? "is a link, and heed writes nothing in a model directory through links: replace it by what it leads to"
          : "is neither a file nor a directory: remove it from the model directory";
  throw Error(entry.path().string() + ": " + problem);
}

/// Checks the directory itself and everything in its checkpoints.
void refuse_links(const std::string& directory) {
  for (const auto& entry : fs::directory_iterator(directory)) refuse_link(entry);
  const std::string checkpoints = directory + "/checkpoints";
  if (!fs::is_directory(checkpoints)) return;
  for (const auto& entry : fs::recursive_directory_iterator(checkpoints)) refuse_link(entry);
}

}  // namespace

DirectoryLock::DirectoryLock(const std::string& directory)
    : path_(directory), directory_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (directory_ < 0) throw FileError(directory, "open", errno);
  try {
    refuse_links(directory);
    lock(directory + "/.lock");
  } catch (...) {
    close(directory_);
    throw;
  }
}

void DirectoryLock::lock(const std::string& path) {
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw FileError(path, "open", errno);
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) {
    log_warning(path_ + ": this file system has no locks: take care that only one training runs here");
    return;
  }
  close(file_);
  throw Error(path_ + ": another training is running in this directory");
}

DirectoryLock::~DirectoryLock() {
  close(file_);
  close(directory_);
}

bool DirectoryLock::in_place() const {
  struct stat locked{}, there{};
  return fstat(directory_, &locked) == 0 && stat(path_.c_str(), &there) == 0 && locked.st_dev == there.st_dev &&
         locked.st_ino == there.st_ino;
}

}  // namespace heed::checkpoint
