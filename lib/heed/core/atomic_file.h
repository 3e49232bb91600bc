// Files that appear whole or not at all: written beside their final name, flushed to disk, then renamed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed {

class AtomicFile {
 public:
  /// Opens a temporary file beside `path`. Throws FileError.
  explicit AtomicFile(std::string path);
  /// Removes the temporary file unless committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws FileError (a full disk, say); nothing appears under the final name then.
  void write(const void* bytes, size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Flushes to the disk and gives the file its name. Throws FileError.
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// Writes a whole small file atomically. Throws FileError.
void write_file(const std::string& path, std::string_view content);
/// Reads a whole file. Throws FileError.
std::string read_file(const std::string& path);
/// Flushes a directory's entries to the disk, after files were renamed in it. Throws FileError.
void sync_directory(const std::string& path);

}  // namespace heed
