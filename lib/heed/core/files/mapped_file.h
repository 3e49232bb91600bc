// A file mapped into memory: the system keeps only the pages in use.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heed {

/// Private memory may be written through writable_bytes(): that changes neither the file nor other mappings of it.
enum class Mapping { ReadOnly, Private };

class MappedFile {
 public:
  MappedFile() = default;
  /// An empty file maps to an empty span. When the file is truncated later and its bytes are read, the process ends
  /// with status 1 and a line that names the file (mapped_ranges.h). Throws FileError; InputError for a pipe or a
  /// device.
  explicit MappedFile(const std::string& path, Mapping mapping = Mapping::ReadOnly);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  /// Says that bytes are looked at here and there: the system then reads no pages around those it is asked for.
  void expect_scattered() const;
  /// Begins to read these bytes from the file.
  void fetch(std::span<const std::byte> bytes) const;
  /// Lets these bytes of a Mapping::ReadOnly leave memory; they are read from the file again when they are next looked
  /// at.
  void release(std::span<const std::byte> bytes) const;
  /// Of a Mapping::Private only.
  std::span<std::byte> writable_bytes();

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  Mapping mapping_ = Mapping::ReadOnly;
};

}  // namespace heed
