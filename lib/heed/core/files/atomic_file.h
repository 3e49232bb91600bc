// Files that appear whole or not at all. They are written to a temporary file in the same directory, flushed to disk,
// then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heed/core/files/file_access.h"

namespace heed {

/// The target of a chain of symbolic links, whether or not it exists. Other paths are unchanged.
std::string resolve_links(const std::string& path);

/// Writes a file atomically. A file that replaces another one gets the old file's permissions, owner and group, as far
/// as this process may set them. Nobody can read the new file before these are set. Other hard links of the old file
/// keep the old content.
class AtomicFile {
 public:
  /// Follows symbolic links and keeps them. A pipe or a device (/dev/null) is written directly. So is a path to a
  /// descriptor that is already open (/dev/stdout), from its current position. Throws FileError, also for a directory,
  /// a file that this process cannot write, or an impossible name. So the error is known before the content is
  /// computed. Removes temporary files that killed processes left for the same file.
  explicit AtomicFile(std::string path);
  /// Removes what was written, unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws FileError, for example if the disk is full. Then nothing appears under the final name.
  void write(const void* bytes, size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Overwrites bytes already written, from `position` on, counted from the start of the file. Throws FileError, also
  /// if the bytes cannot be overwritten (a pipe).
  void write_at(uint64_t position, std::string_view text);
  /// Flushes the file to disk and renames it to its final name. Throws FileError.
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
  std::string final_;                 // path after all links; empty: written directly
  std::optional<FileAccess> access_;  // of the file to replace
  int descriptor_ = -1;
  bool nameless_ = false;  // the file has no name yet, so it disappears with the process
  std::string temporary_;  // hidden temporary name; empty: none
  std::string old_;        // second name (hard link) of the file to replace; empty: none
  bool appeared_ = false;  // the final name did not exist before
};

/// Commits all of these files, or none. Everything that can fail on a full disk is done before the first file is
/// renamed. If a rename fails, the files renamed before it are replaced by the old ones again. If the process is killed
/// in between, some files are new and some old, each whole. Throws FileError.
void commit_all(std::span<AtomicFile* const> files);

/// Writes a small file atomically. Throws FileError.
void write_file(const std::string& path, std::string_view content);
/// Reads a whole file. Throws FileError.
std::string read_file(const std::string& path);
/// Flushes the entries of a directory to disk, after files in it were renamed. Throws FileError.
void sync_directory(const std::string& path);

}  // namespace heed
