#include "heed/core/files/temporary_name.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <regex>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytesOfName = 100;  // some file systems limit names to 143 bytes
constexpr int kNames = 16;                // maximum number of processes that write one file at the same time

/// The first bytes of a name, without an incomplete UTF-8 character at the end.
std::string_view shortened(std::string_view name) {
  if (name.size() <= kMostBytesOfName) return name;
  size_t end = kMostBytesOfName;
  while (end > 1 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end);
}

/// Whether the name still refers to the open file or directory.
bool is_name_of(const std::string& name, int descriptor) {
  struct stat named{}, opened{};
  if (lstat(name.c_str(), &named) != 0 || fstat(descriptor, &opened) != 0) return false;
  const bool removable = S_ISREG(opened.st_mode) || S_ISDIR(opened.st_mode);
  return removable && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

/// Opens a file for writing, because locks on network file systems need that. Opens a directory for reading.
int open_for_lock(const std::string& name) {
  constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int descriptor = open(name.c_str(), O_RDWR | kFlags);
  return descriptor < 0 && errno == EISDIR ? open(name.c_str(), O_RDONLY | kFlags) : descriptor;
}

}  // namespace

std::string temporary_name(const std::string& path, int number) {
  const fs::path whole(path);
  const std::string name = whole.filename();
  return whole.parent_path() / fmt::format(".{}.heed{}.tmp", shortened(name), number);
}

void remove_stale(const std::string& name, const BeforeRemoval& before) {
  const int descriptor = open_for_lock(name);
  if (descriptor < 0) return;
  // Only the holder of the lock removes or renames the file. So the name cannot refer to another file meanwhile.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_name_of(name, descriptor)) {
    if (before) before(name);
    std::error_code stays;
    fs::remove_all(name, stays);
  }
  close(descriptor);
}

bool remove_abandoned_of(const std::string& path, const BeforeRemoval& before) {
  for (int number = 0; number < kNames; ++number) remove_stale(temporary_name(path, number), before);
  struct stat status{};
  return lstat(temporary_name(path, 0).c_str(), &status) == 0 || errno == ENOENT;
}

void remove_abandoned_in(const std::string& directory) {
  static const std::regex temporary(R"(\..*\.heed\d+\.tmp)");
  std::error_code unreadable;
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(directory, unreadable)) {
    if (std::regex_match(entry.path().filename().string(), temporary)) names.push_back(entry);
  }
  for (const fs::path& name : names) remove_stale(name);
}

int create_with_temporary_name(const std::string& path, std::string& name,
                               const std::function<int(const char*)>& take) {
  int taken = -1;
  for (int number = 0; number < kNames; ++number) {
    name = temporary_name(path, number);
    remove_stale(name);
    taken = take(name.c_str());
    if (taken >= 0 || errno != EEXIST) break;
  }
  return taken;
}

int create_temporary_directory(const std::string& path, std::string& name) {
  constexpr mode_t kMode = S_IRWXU | S_IRWXG | S_IRWXO;  // reduced by the umask
  return create_with_temporary_name(path, name, [](const char* free) {
    if (mkdir(free, kMode) != 0) return -1;
    const int descriptor = open(free, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0 && lock_temporary(descriptor)) return descriptor;
    if (descriptor >= 0) close(descriptor);
    errno = EEXIST;
    return -1;
  });
}

int lock_file(const std::string& path) {
  const int descriptor = open_for_lock(path);
  if (descriptor >= 0) flock(descriptor, LOCK_EX | LOCK_NB);  // if locks are not supported, no process removes anything
  return descriptor;
}

bool lock_temporary(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;  // otherwise locks are not supported here
  struct stat status{};
  return fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

}  // namespace heed
