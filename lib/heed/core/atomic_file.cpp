#include "heed/core/atomic_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed {

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_, getpid())) {
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(path_, "write", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, size_t count) {
  const auto* position = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, position, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(path_, "write", errno);
    position += written;
    count -= static_cast<size_t>(written);
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0) throw FileError(path_, "write", errno);
  if (close(std::exchange(descriptor_, -1)) != 0 || rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    unlink(temporary_.c_str());
    throw FileError(path_, "write", reason);
  }
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

std::string read_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(path, "open", errno);
  std::string content;
  char buffer[1 << 14];
  for (;;) {
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      close(descriptor);
      if (count < 0) throw FileError(path, "read", reason);
      return content;
    }
    content.append(buffer, static_cast<size_t>(count));
  }
}

void sync_directory(const std::string& path) {
  const std::string opened = path.empty() ? "." : path;
  const int descriptor = open(opened.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(opened, "open", errno);
  fsync(descriptor);
  close(descriptor);
}

}  // namespace heed
