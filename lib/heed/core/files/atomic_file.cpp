#include "heed/core/files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/broken_pipe.h"
#include "heed/core/files/temporary_name.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as in Linux

constexpr const char* kOpenFiles = "/proc/self/fd/";
constexpr mode_t kFileMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;  // reduced by the umask

/// The descriptor of a path such as /dev/stdout or /dev/fd/3; absent for other paths.
std::optional<int> descriptor_named(fs::path path) {
  std::error_code none;
  const fs::path open_files = fs::canonical(kOpenFiles, none);
  if (none) return std::nullopt;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, none); ++i) {
    if (fs::canonical(path.parent_path(), none) == open_files) return std::stoi(path.filename());
    path = path.parent_path() / fs::read_symlink(path, none);
  }
  return std::nullopt;
}

/// A new descriptor for the same open file; negative, with errno, if it is not writable.
int own_descriptor(int named) {
  const int flags = fcntl(named, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    return -1;
  }
  return fcntl(named, F_DUPFD_CLOEXEC, 0);
}

/// Creates a file under a temporary name and locks it. Returns its descriptor, or a negative number with errno.
int make_locked(const char* name, mode_t mode) {
  const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0 || lock_temporary(descriptor)) return descriptor;
  close(descriptor);
  errno = EEXIST;
  return -1;
}

}  // namespace

std::string resolve_links(const std::string& path) {
  std::error_code none;
  fs::path target = path;
  for (int i = 0; i < kMostLinks && fs::is_symlink(target, none); ++i) {
    target = target.parent_path() / fs::read_symlink(target, none);
  }
  return target;
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw FileError(path_, "write", ENOENT);
  struct stat status{};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) throw FileError(path_, "write", errno);
  if (exists && S_ISDIR(status.st_mode)) throw FileError(path_, "write", EISDIR);
  if (const auto named = exists ? descriptor_named(path_) : std::nullopt) {
    descriptor_ = own_descriptor(*named);
  } else if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    open_beside(exists);
  }
  if (descriptor_ < 0) throw FileError(path_, "write", errno);
}

void AtomicFile::open_beside(bool replaces) {
  final_ = resolve_links(path_);
  if ((replaces && !may_replace(final_)) || !remove_abandoned_of(final_)) return;
  access_ = FileAccess::of(final_);
  const mode_t mode = replaces ? S_IRUSR | S_IWUSR : kFileMode;
  const std::string parent = fs::path(final_).parent_path();
  if (access(kOpenFiles, X_OK) == 0) {
    descriptor_ = open(parent.empty() ? "." : parent.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
  }
  nameless_ = descriptor_ >= 0;
  if (nameless_) {
    lock_temporary(descriptor_);
    return;
  }
  std::string name;
  descriptor_ = create_with_temporary_name(final_, name, [mode](const char* free) { return make_locked(free, mode); });
  if (descriptor_ >= 0) temporary_ = name;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(const void* bytes, size_t count) {
  const auto* position = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, position, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_write_error(path_, errno);
    position += written;
    count -= static_cast<size_t>(written);
  }
}

void AtomicFile::write_at(uint64_t position, std::string_view text) {
  if (final_.empty()) throw FileError(path_, "write", ESPIPE);
  while (!text.empty()) {
    const ssize_t written = pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(position));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(path_, "write", errno);
    position += static_cast<uint64_t>(written);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  AtomicFile* const file = this;
  commit_all({&file, 1});
}

/// Does everything that can fail on a full disk.
void AtomicFile::prepare() {
  if (final_.empty()) return;
  if (auto access = FileAccess::of(final_)) access_ = std::move(access);  // it may have changed or appeared
  if (access_ && !access_->give_to(descriptor_)) throw FileError(path_, "write", errno);
  if (fsync(descriptor_) != 0) throw FileError(path_, "write", errno);
  if (!nameless_) return;
  const std::string opened = kOpenFiles + std::to_string(descriptor_);
  std::string name;
  const int linked = create_with_temporary_name(final_, name, [&](const char* free) {
    return linkat(AT_FDCWD, opened.c_str(), AT_FDCWD, free, AT_SYMLINK_FOLLOW);
  });
  if (linked != 0) throw FileError(path_, "write", errno);
  temporary_ = name;
  nameless_ = false;
}

/// Makes a second name (hard link) of the old file, so that withdraw() can restore it. Not possible on a file system
/// without hard links.
void AtomicFile::keep_old() {
  if (final_.empty()) return;
  std::string name;
  if (create_with_temporary_name(final_, name, [&](const char* free) { return link(final_.c_str(), free); }) == 0) {
    old_ = name;
  } else {
    appeared_ = errno == ENOENT;
  }
}

void AtomicFile::publish() {
  if (final_.empty()) {
    if (close(std::exchange(descriptor_, -1)) != 0) throw FileError(path_, "write", errno);
    return;
  }
  if (rename(temporary_.c_str(), final_.c_str()) != 0) throw FileError(path_, "write", errno);
  temporary_.clear();
}

void AtomicFile::withdraw() noexcept {
  if (!old_.empty() && rename(old_.c_str(), final_.c_str()) == 0) old_.clear();
  if (appeared_) unlink(final_.c_str());
}

/// Closes the file last, because other processes may remove a temporary name without a lock.
void AtomicFile::discard() noexcept {
  for (std::string* name : {&temporary_, &old_}) {
    if (!name->empty()) unlink(name->c_str());
    name->clear();
  }
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));  // fsync has already reported errors
}

void commit_all(std::span<AtomicFile* const> files) {
  size_t published = 0;
  std::vector<int> locks;  // on the old files
  const auto discard = [&] {
    for (AtomicFile* file : files) file->discard();
    for (const int lock : locks) close(lock);
  };
  try {
    for (AtomicFile* file : files) file->prepare();
    locks.reserve(files.size());
    for (size_t i = 0; i + 1 < files.size(); ++i) {
      if (const int lock = lock_file(files[i]->final_); lock >= 0) locks.push_back(lock);
      files[i]->keep_old();
    }
    for (; published < files.size(); ++published) files[published]->publish();
  } catch (...) {
    for (AtomicFile* file : files.first(published)) file->withdraw();
    discard();
    throw;
  }
  discard();
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
  // Some file systems cannot flush a directory.
  const int reason = fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  close(descriptor);
  if (reason != 0) throw FileError(opened, "write", reason);
}

}  // namespace heed
