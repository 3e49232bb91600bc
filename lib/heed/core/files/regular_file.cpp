#include "heed/core/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed {

RegularFile::RegularFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) throw FileError(path, "open", errno);
  struct stat status{};
  const int reason = fstat(descriptor_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (reason == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<uint64_t>(status.st_size);
    return;
  }
  close(descriptor_);
  if (reason != 0) throw FileError(path, "read", reason);
  throw InputError(path, 0,
                   fmt::format("expected a regular file, found a {}", S_ISFIFO(status.st_mode) ? "pipe" : "device"));
}

RegularFile::~RegularFile() { close(descriptor_); }

std::string read_regular_file(const std::string& path, uint64_t largest) {
  const RegularFile file(path);
  if (file.size() > largest) {
    throw InputError(path, 0, fmt::format("expected a file of at most {} bytes, found {}", largest, file.size()));
  }
  std::string content(file.size(), '\0');
  size_t end = 0;
  while (end < content.size()) {
    const ssize_t count = read(file.descriptor(), content.data() + end, content.size() - end);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw FileError(path, "read", errno);
    if (count == 0) break;  // the file was truncated after it was opened
    end += static_cast<size_t>(count);
  }
  content.resize(end);
  return content;
}

}  // namespace heed
