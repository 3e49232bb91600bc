#include "heed/core/files/file_access.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>

namespace heed {
namespace {

constexpr mode_t kPermissions = S_IRWXU | S_IRWXG | S_IRWXO;
constexpr const char* kList = "system.posix_acl_access";
constexpr size_t kMostBytes = 65536;  // maximum size of an attribute, as in Linux

std::string access_list(const std::string& path) {
  std::string list(kMostBytes, '\0');
  const ssize_t size = getxattr(path.c_str(), kList, list.data(), list.size());
  list.resize(size < 0 ? 0 : static_cast<size_t>(size));
  return list;
}

bool keep_group(int descriptor, uid_t owner, gid_t group) {
  return fchown(descriptor, owner, group) == 0 || fchown(descriptor, static_cast<uid_t>(-1), group) == 0;
}

/// Sets or removes the access control list: a new file may have inherited one from its directory.
bool keep_list(int descriptor, const std::string& list) {
  if (!list.empty()) return fsetxattr(descriptor, kList, list.data(), list.size(), 0) == 0;
  return fremovexattr(descriptor, kList) == 0 || errno == ENODATA || errno == EOPNOTSUPP;
}

}  // namespace

std::optional<FileAccess> FileAccess::of(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  FileAccess access;
  access.mode_ = status.st_mode & kPermissions;
  access.owner_ = status.st_uid;
  access.group_ = status.st_gid;
  access.list_ = access_list(path);
  return access;
}

bool FileAccess::give_to(int descriptor) const {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return false;
  const bool same_owners = status.st_uid == owner_ && status.st_gid == group_;
  const bool kept = (same_owners || keep_group(descriptor, owner_, group_)) && keep_list(descriptor, list_);
  const mode_t of_others = mode_ & S_IRWXO;
  const mode_t mode = kept ? mode_ : mode_ & (S_IRWXU | S_IRWXO | of_others << 3);
  // A file system without its own permissions refuses chmod, even to the current mode.
  return (status.st_mode & kPermissions) == mode || fchmod(descriptor, mode) == 0;
}

bool may_replace(const std::string& path) {
  if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return false;
  const std::string parent = std::filesystem::path(path).parent_path();
  struct stat file{}, directory{};
  if (stat(path.c_str(), &file) != 0 || stat(parent.empty() ? "." : parent.c_str(), &directory) != 0) return false;
  const uid_t us = geteuid();
  if (!(directory.st_mode & S_ISVTX) || us == 0 || us == file.st_uid || us == directory.st_uid) return true;
  errno = EPERM;  // for example in /tmp, where users can remove only their own files
  return false;
}

}  // namespace heed
