#include "heed/core/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/archive.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

/// The folder of a path if it is a file, which may be an archive; else empty.
std::string archive_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path();
  std::error_code none;
  return fs::is_regular_file(folder, none) ? folder : "";
}

std::optional<ArchivedRange> range_in(const RegularFile& archive, const std::string& archive_path,
                                      const std::string& path) {
  return find_in_archive(archive.descriptor(), archive.size(), archive_path, fs::path(path).filename());
}

/// The range of a file that is in an archive.
std::optional<ArchivedRange> archived(const std::string& path) {
  const std::string archive = archive_of(path);
  return archive.empty() ? std::nullopt : range_in(RegularFile(archive), archive, path);
}

}  // namespace

bool path_exists(const std::string& path) {
  std::error_code none;
  return fs::exists(path, none) || archived(path);
}

bool is_regular_file(const std::string& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) || archived(path);
}

uint64_t size_of_file(const std::string& path) {
  std::error_code refused;
  const uint64_t size = fs::file_size(path, refused);
  if (!refused) return size;
  if (const auto range = archived(path)) return range->size;
  throw FileError(path, "read", refused.value());
}

void RegularFile::open_archived(const std::string& archive, const std::string& path) {
  RegularFile whole(archive);
  const auto range = range_in(whole, archive, path);
  if (!range) throw FileError(path, "open", ENOENT);
  descriptor_ = std::exchange(whole.descriptor_, -1);
  offset_ = range->begin;
  size_ = range->size;
}

RegularFile::RegularFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) {
    const int refused = errno;
    const std::string archive = refused == ENOTDIR ? archive_of(path) : "";
    if (archive.empty()) throw FileError(path, "open", refused);
    open_archived(archive, path);
    return;
  }
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

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string read_regular_file(const std::string& path, uint64_t largest) {
  const RegularFile file(path);
  if (file.size() > largest) {
    throw InputError(path, 0, fmt::format("expected a file of at most {} bytes, found {}", largest, file.size()));
  }
  std::string content(file.size(), '\0');
  size_t end = 0;
  while (end < content.size()) {
    const ssize_t count =
        pread(file.descriptor(), content.data() + end, content.size() - end, static_cast<off_t>(file.offset() + end));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw FileError(path, "read", errno);
    if (count == 0) break;  // the file was truncated after it was opened
    end += static_cast<size_t>(count);
  }
  content.resize(end);
  return content;
}

}  // namespace heed
