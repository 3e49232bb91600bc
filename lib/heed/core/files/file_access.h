// Who may read and write a file. A file that replaces another one gets the same access.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>

namespace heed {

/// Permissions, owner, group and, if there is one, the access control list of a file.
class FileAccess {
 public:
  /// The access of the regular file at `path`; links are followed. Absent if the file does not exist.
  static std::optional<FileAccess> of(const std::string& path);

  /// Sets the same access on another file, which nobody else has open. If this process cannot set the group, the new
  /// file's group gets only the permissions of everybody. So a user who could not read the old file cannot read the new
  /// one. Returns false, with errno, if the permissions cannot be set.
  bool give_to(int descriptor) const;

 private:
  mode_t mode_ = 0;
  uid_t owner_ = 0;
  gid_t group_ = 0;
  std::string list_;  // in the kernel's format; empty: none
};

/// Whether this process may replace an existing file: it may write the file and may remove it from its directory. Sets
/// errno if not.
bool may_replace(const std::string& path);

}  // namespace heed
