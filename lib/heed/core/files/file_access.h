// Who may read and write a file: what a file that takes the place of another one keeps of it.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>

namespace heed {

/// Permissions, owner, group and, where it has one, the access control list of a file.
class FileAccess {
 public:
  /// The access of the regular file at `path`; links are followed. Absent: there is no such file.
  static std::optional<FileAccess> of(const std::string& path);

  /// Gives the same access to another file, which nobody else can open yet. If the system does not let this process
  /// keep the group, the new group may do only what everybody may: nobody reads the new file who could not read the old
  /// one. False, with errno: the permissions cannot be set.
  bool give_to(int descriptor) const;

 private:
  mode_t mode_ = 0;
  uid_t owner_ = 0;
  gid_t group_ = 0;
  std::string list_;  // as the kernel has it; empty: none
};

/// Whether this process may put another file in the place of an existing one: may write it, and may remove it from its
/// directory. False with errno.
bool may_replace(const std::string& path);

}  // namespace heed
