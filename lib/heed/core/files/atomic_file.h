// Files that appear whole or not at all: written beside their final name, flushed to disk, then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

/// Where a chain of links leads, whether or not there is a file; other paths as they are.
std::string behind_links(const std::string& path);

class AtomicFile {
 public:
  /// Follows links, so that they stay what they are. What is not a file (a pipe, /dev/null) is written at once, and
  /// so is what this process has open already (/dev/stdout), from where it is. Throws FileError, also for a directory.
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
  void open_beside();

  std::string path_;       // as given
  std::string final_;      // behind all links; empty: written at once
  std::string temporary_;  // beside it
  bool nameless_ = false;  // the temporary file has no name yet, so that it vanishes with the process
  int descriptor_ = -1;
};

/// Writes a whole small file atomically. Throws FileError.
void write_file(const std::string& path, std::string_view content);
/// Reads a whole file. Throws FileError.
std::string read_file(const std::string& path);
/// Flushes a directory's entries to the disk, after files were renamed in it. Throws FileError.
void sync_directory(const std::string& path);

}  // namespace heed
