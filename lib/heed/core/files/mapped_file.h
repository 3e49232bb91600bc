// A memory-mapped file: only the pages in use are in memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heed {

/// Private memory can be changed through writable_bytes(). This changes neither the file nor other mappings of it.
enum class Mapping { ReadOnly, Private };

class MappedFile {
 public:
  MappedFile() = default;
  /// If the file is truncated while it is mapped, reading the missing bytes ends the process with status 1 and a line
  /// that names the file (mapped_ranges.h). Throws FileError; InputError for a pipe or a device.
  explicit MappedFile(const std::string& path, Mapping mapping = Mapping::ReadOnly);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  /// Empty for an empty file.
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  /// Announces random access: the system then reads only the requested pages, not their neighbors.
  void expect_scattered() const;
  /// Starts to read these bytes from the file.
  void fetch(std::span<const std::byte> bytes) const;
  /// Removes these bytes of a Mapping::ReadOnly from memory. The next access reads them from the file again.
  void release(std::span<const std::byte> bytes) const;
  /// Only for a Mapping::Private.
  std::span<std::byte> writable_bytes();

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  size_t before_ = 0;  // bytes of the first page before data_: of a file in an archive
  Mapping mapping_ = Mapping::ReadOnly;
};

}  // namespace heed
