// A file to which text is appended, so that a run that was interrupted can continue it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

class AppendFile {
 public:
  /// Opens a file, keeps its first `kept` bytes and removes the rest. The file must have at least `kept` bytes. A
  /// missing file is created. Throws FileError.
  AppendFile(std::string path, uint64_t kept);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Buffers the text and writes it in large blocks. Throws FileError.
  void write(std::string_view text);
  /// Writes the buffer. Throws FileError.
  void flush();
  /// Flushes the file to disk. Throws FileError.
  void finish();

 private:
  std::string path_;
  int descriptor_;
  std::string waiting_;
};

/// The number of complete lines (with their line end) of a file, and their bytes. 0 if the file does not exist. Throws
/// FileError.
struct WholeLines {
  int64_t lines = 0;
  uint64_t bytes = 0;
};
/// Counts only the first `most` complete lines.
WholeLines whole_lines(const std::string& path, int64_t most);

}  // namespace heed
