// A file that grows while it is written, so that what stands in it after a sudden end may be gone on with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

class GrowingFile {
 public:
  /// Goes on behind the first `kept` bytes of a file that has at least so many; what stands behind them is lost. A file
  /// that does not exist begins. Throws FileError.
  GrowingFile(std::string path, uint64_t kept);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// What is written waits in memory until it is a good deal. Throws FileError.
  void write(std::string_view text);
  /// Writes what waits. Throws FileError.
  void flush();
  /// Flushes to the disk. Throws FileError.
  void finish();

 private:
  std::string path_;
  int descriptor_;
  std::string waiting_;
};

/// The lines of a file that have their end, and the bytes of them; 0 where there is no file. Throws FileError.
struct WholeLines {
  int64_t lines = 0;
  uint64_t bytes = 0;
};
/// The first `most` of them.
WholeLines whole_lines(const std::string& path, int64_t most);

}  // namespace heed
