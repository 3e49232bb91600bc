// A file mapped read-only into memory: the system keeps only the pages in use.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heed {

class MappedFile {
 public:
  MappedFile() = default;
  /// Throws FileError. An empty file maps to an empty span.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace heed
