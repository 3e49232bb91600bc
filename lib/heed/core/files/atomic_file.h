// Files that appear whole or not at all: written beside their final name, flushed to disk, then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heed/core/files/file_access.h"

namespace heed {

/// Where a chain of links leads, whether or not there is a file; other paths as they are.
std::string behind_links(const std::string& path);

/// A file that replaces another one is a new file: it keeps the permissions, the owner and the group of the old one, as
/// far as this process may set them, and nobody can read it before it has them. Other hard links of the old file keep
/// the old content.
class AtomicFile {
 public:
  /// Follows symbolic links, so that they stay what they are. What is not a file (a pipe, /dev/null) is written at
  /// once, and so is what this process has open already (/dev/stdout), from where it is. Throws FileError, also for a
  /// directory, a file that this process may not write, and a name that cannot exist: so it is known before the content
  /// is made. Removes what killed processes left of the same file.
  explicit AtomicFile(std::string path);
  /// What was written vanishes unless committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws FileError (a full disk, say); nothing appears under the final name then.
  void write(const void* bytes, size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Writes over what is already written from `position` on, the file's beginning being 0. Throws FileError, also where
  /// what was written is gone (a pipe).
  void write_at(uint64_t position, std::string_view text);
  /// Flushes to the disk and gives the file its name. Throws FileError.
  void commit();

 private:
  friend void commit_all(std::span<AtomicFile* const> files);

  void open_beside(bool replaces);
  void prepare();
  void keep_old();
  void publish();
  void withdraw() noexcept;
  void discard() noexcept;

  std::string path_;                  // as given
  std::string final_;                 // behind all links; empty: written at once
  std::optional<FileAccess> access_;  // of the file that is replaced
  int descriptor_ = -1;
  bool nameless_ = false;  // the file has no name yet, so that it vanishes with the process
  std::string temporary_;  // its hidden name; empty: it has none
  std::string old_;        // another name of the file that is replaced; empty: it has none
  bool appeared_ = false;  // there was no file under the final name
};

/// Gives all of these files their names, or none. All that can fail because a disk is full is done before the first
/// file takes its place. If one cannot take its place, those before it give theirs back to the old files. A process
/// that is killed in between leaves some files new and some old, each whole. Throws FileError.
void commit_all(std::span<AtomicFile* const> files);

/// Writes a whole small file atomically. Throws FileError.
void write_file(const std::string& path, std::string_view content);
/// Reads a whole file. Throws FileError.
std::string read_file(const std::string& path);
/// Flushes a directory's entries to the disk, after files were renamed in it. Throws FileError.
void sync_directory(const std::string& path);

}  // namespace heed
