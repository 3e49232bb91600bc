#include "heed/core/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <utility>

#include "heed/core/error.h"

namespace heed {

MappedFile::MappedFile(const std::string& path, Mapping mapping) : mapping_(mapping) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(path, "open", errno);
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int reason = S_ISDIR(status.st_mode) ? EISDIR : errno;
    close(descriptor);
    throw FileError(path, "read", reason);
  }
  size_ = static_cast<size_t>(status.st_size);
  if (size_ > 0) {
    const bool is_private = mapping == Mapping::Private;
    void* mapped = mmap(nullptr, size_, is_private ? PROT_READ | PROT_WRITE : PROT_READ,
                        is_private ? MAP_PRIVATE : MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) {
      const int reason = errno;
      close(descriptor);
      throw FileError(path, "map", reason);
    }
    data_ = static_cast<std::byte*>(mapped);
  }
  close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
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
  const size_t first = (begin + page - 1) / page * page, last = end / page * page;  // whole pages, which others share
  if (first < last) madvise(data_ + first, last - first, MADV_DONTNEED);
}

std::span<std::byte> MappedFile::writable_bytes() {
  check(mapping_ == Mapping::Private, "a read-only mapping cannot be written");
  return {data_, size_};
}

}  // namespace heed
