#include "heed/core/files/append_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <utility>

#include "heed/core/error.h"

namespace heed {
namespace {

constexpr size_t kMostWaiting = size_t{1} << 16;  // bytes

}  // namespace

AppendFile::AppendFile(std::string path, uint64_t kept)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw FileError(path_, "write", errno);
  const auto size = static_cast<off_t>(kept);
  if (ftruncate(descriptor_, size) == 0 && lseek(descriptor_, size, SEEK_SET) == size) return;
  const int error = errno;
  close(descriptor_);
  throw FileError(path_, "write", error);
}

AppendFile::~AppendFile() { close(descriptor_); }

void AppendFile::write(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= kMostWaiting) flush();
}

void AppendFile::flush() {
  for (size_t written = 0; written < waiting_.size();) {
    const ssize_t count = ::write(descriptor_, waiting_.data() + written, waiting_.size() - written);
    if (count < 0 && errno != EINTR) throw FileError(path_, "write", errno);
    if (count > 0) written += static_cast<size_t>(count);
  }
  waiting_.clear();
}

void AppendFile::finish() {
  flush();
  if (fsync(descriptor_) != 0) throw FileError(path_, "write", errno);
}

WholeLines whole_lines(const std::string& path, int64_t most) {
  WholeLines whole;
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return whole;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, "read", errno);
  for (std::string line; whole.lines < most && std::getline(file, line) && !file.eof(); ++whole.lines) {
    whole.bytes += line.size() + 1;
  }
  return whole;
}

}  // namespace heed
