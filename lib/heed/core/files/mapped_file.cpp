#include "heed/core/files/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/files/mapped_ranges.h"
#include "heed/core/files/regular_file.h"

namespace heed {

MappedFile::MappedFile(const std::string& path, Mapping mapping) : mapping_(mapping) {
  const RegularFile file(path);
  if (file.size() == 0) return;
  const bool is_private = mapping == Mapping::Private;
  void* mapped = mmap(nullptr, file.size(), is_private ? PROT_READ | PROT_WRITE : PROT_READ,
                      is_private ? MAP_PRIVATE : MAP_SHARED, file.descriptor(), 0);
  if (mapped == MAP_FAILED) throw FileError(path, "map", errno);
  data_ = static_cast<std::byte*>(mapped);
  size_ = file.size();
  register_mapped_range(data_, size_, path);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  unregister_mapped_range(data_);
  munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), mapping_(other.mapping_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapping_, other.mapping_);
  return *this;
}

void MappedFile::expect_scattered() const {
  if (data_ != nullptr) madvise(data_, size_, MADV_RANDOM);
}

void MappedFile::fetch(std::span<const std::byte> bytes) const {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<size_t>(bytes.data() - data_), first = begin / page * page;
  if (!bytes.empty()) madvise(data_ + first, begin - first + bytes.size(), MADV_WILLNEED);
}

void MappedFile::release(std::span<const std::byte> bytes) const {
  if (mapping_ != Mapping::ReadOnly) return;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<size_t>(bytes.data() - data_), end = begin + bytes.size();
  const size_t first = (begin + page - 1) / page * page, last = end / page * page;  // whole pages only: the pages at
                                                                                    // both ends are shared with other
                                                                                    // bytes
  if (first < last) madvise(data_ + first, last - first, MADV_DONTNEED);
}

std::span<std::byte> MappedFile::writable_bytes() {
  check(mapping_ == Mapping::Private, "a read-only mapping cannot be written");
  return {data_, size_};
}

}  // namespace heed
