// Regular files, and nothing else: a model directory may come from anybody, and a pipe or a device in the place of one
// of its files must neither stop heed nor fill its memory.
#pragma once

#include <cstdint>
#include <string>

namespace heed {

/// A regular file, opened for reading. A link to one is one.
class RegularFile {
 public:
  /// Does not wait for the other end of a pipe. Throws FileError, also for a directory and a socket; InputError for a
  /// pipe or a device.
  explicit RegularFile(const std::string& path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Bytes, when it was opened.
  uint64_t size() const { return size_; }

 private:
  int descriptor_;
  uint64_t size_ = 0;
};

/// No file that heed reads whole is larger, such as a configuration, a manifest or a vocabulary.
inline constexpr uint64_t kLargestWholeFile = uint64_t{1} << 30;  // bytes

/// Reads a regular file of at most `largest` bytes. Throws FileError; InputError when it is larger or no regular file.
std::string read_regular_file(const std::string& path, uint64_t largest = kLargestWholeFile);

}  // namespace heed
