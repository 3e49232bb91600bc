// Opens only regular files. A model directory may come from an untrusted source. A pipe or a device in place of a file
// must not block heed or fill its memory. If the folder of a path is an archive (archive.h), all functions take the
// file in it.
#pragma once

#include <cstdint>
#include <string>

namespace heed {

/// A regular file, opened for reading. Links to regular files are allowed.
class RegularFile {
 public:
  /// Never blocks, even for a pipe. Throws FileError, also for a directory and a socket; InputError for a pipe or a
  /// device; CheckpointError if the folder of `path` is a file, but not a whole archive.
  explicit RegularFile(const std::string& path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// The position of its first byte in what the descriptor reads; 0 unless it is in an archive.
  uint64_t offset() const { return offset_; }
  /// Size in bytes when the file was opened.
  uint64_t size() const { return size_; }

 private:
  void open_archived(const std::string& archive, const std::string& path);

  int descriptor_;
  uint64_t offset_ = 0;
  uint64_t size_ = 0;
};

/// Whether a path leads to anything. Throws CheckpointError if its folder is a file, but not a whole archive.
bool path_exists(const std::string& path);
/// Whether a path leads to a regular file. Throws likewise.
bool is_regular_file(const std::string& path);
/// Size in bytes. Throws FileError; CheckpointError likewise.
uint64_t size_of_file(const std::string& path);

/// Size limit of files that heed reads whole, such as a configuration, a manifest or a vocabulary.
inline constexpr uint64_t kLargestWholeFile = uint64_t{1} << 30;  // bytes

/// Reads a regular file of at most `largest` bytes. Throws FileError; InputError if it is larger or not a regular file.
std::string read_regular_file(const std::string& path, uint64_t largest = kLargestWholeFile);

}  // namespace heed
