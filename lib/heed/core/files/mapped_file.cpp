#include "heed/core/files/mapped_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"

namespace heed {
namespace {

// Which file is mapped at which addresses. If a mapped file was truncated, reading a missing page raises SIGBUS, which
// would end the process without a message.

/// Never freed, as the handler may read it at any time. It is reused when its range has been removed.
struct MappedRange {
  std::atomic<uintptr_t> begin{0};  // 0: free
  uintptr_t end = 0;
  std::string line;  // the message to print
  MappedRange* next = nullptr;
};

std::atomic<MappedRange*> first_range{nullptr};
std::mutex changing_ranges;  // not used by the handler, which must not lock
struct sigaction action_before{};

MappedRange* range_that_begins(uintptr_t begin) {
  MappedRange* range = first_range.load(std::memory_order_acquire);
  while (range != nullptr && range->begin.load(std::memory_order_acquire) != begin) range = range->next;
  return range;
}

/// Calls only async-signal-safe functions.
void on_bus_error(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (auto* range = first_range.load(std::memory_order_acquire); range != nullptr; range = range->next) {
    const uintptr_t begin = range->begin.load(std::memory_order_acquire);
    if (begin == 0 || address < begin || address >= range->end) continue;
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, range->line.data(), range->line.size());
    _exit(1);
  }
  sigaction(SIGBUS, &action_before, nullptr);
  raise(signal);
}

void install_handler() {
  static const int kInstalled = [] {
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, &action_before);
  }();
  static_cast<void>(kInstalled);
}

std::string line_about(std::string path) {
  std::ranges::replace_if(path, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return "heed: " + path + ": was truncated while it was in use, or its disk cannot be read\n";
}

size_t page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

/// Records the memory that a file is mapped to. The first call installs a SIGBUS handler. For recorded memory it prints
/// one line that names the file and ends the process with status 1. For other memory it restores the previous action.
/// Thread-safe.
void register_mapped_range(const void* begin, size_t size, const std::string& path) {
  install_handler();
  const std::scoped_lock lock(changing_ranges);
  MappedRange* range = range_that_begins(0);
  const bool is_new = range == nullptr;
  if (is_new) range = new MappedRange;  // NOLINT(cppcoreguidelines-owning-memory): never freed
  range->line = line_about(path);
  range->end = reinterpret_cast<uintptr_t>(begin) + size;
  range->begin.store(reinterpret_cast<uintptr_t>(begin), std::memory_order_release);
  if (!is_new) return;
  range->next = first_range.load(std::memory_order_relaxed);
  first_range.store(range, std::memory_order_release);
}

/// Removes the record. Call it before the memory is unmapped.
void unregister_mapped_range(const void* begin) {
  const std::scoped_lock lock(changing_ranges);
  MappedRange* range = range_that_begins(reinterpret_cast<uintptr_t>(begin));
  if (range != nullptr) range->begin.store(0, std::memory_order_release);
}

}  // namespace

MappedFile::MappedFile(const std::string& path, Mapping mapping) : mapping_(mapping) {
  const RegularFile file(path);
  if (file.size() == 0) return;
  const bool is_private = mapping == Mapping::Private;
  const size_t before = file.offset() % page_size();
  void* mapped =
      mmap(nullptr, before + file.size(), is_private ? PROT_READ | PROT_WRITE : PROT_READ,
           is_private ? MAP_PRIVATE : MAP_SHARED, file.descriptor(), static_cast<off_t>(file.offset() - before));
  if (mapped == MAP_FAILED) throw FileError(path, "map", errno);
  before_ = before;
  data_ = static_cast<std::byte*>(mapped) + before_;
  size_ = file.size();
  register_mapped_range(data_, size_, path);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  unregister_mapped_range(data_);
  munmap(data_ - before_, before_ + size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      before_(std::exchange(other.before_, 0)),
      mapping_(other.mapping_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(before_, other.before_);
  std::swap(mapping_, other.mapping_);
  return *this;
}

void MappedFile::expect_scattered() const {
  if (data_ != nullptr) madvise(data_ - before_, before_ + size_, MADV_RANDOM);
}

void MappedFile::fetch(std::span<const std::byte> bytes) const {
  const auto begin = static_cast<size_t>(bytes.data() - (data_ - before_)), first = begin / page_size() * page_size();
  if (!bytes.empty()) madvise(data_ - before_ + first, begin - first + bytes.size(), MADV_WILLNEED);
}

void MappedFile::release(std::span<const std::byte> bytes) const {
  if (mapping_ != Mapping::ReadOnly) return;
  const auto begin = static_cast<size_t>(bytes.data() - (data_ - before_)), end = begin + bytes.size();
  const size_t page = page_size();
  const size_t first = (begin + page - 1) / page * page, last = end / page * page;  // whole pages only: the pages at
                                                                                    // both ends are shared with other
                                                                                    // bytes
  if (first < last) madvise(data_ - before_ + first, last - first, MADV_DONTNEED);
}

std::span<std::byte> MappedFile::writable_bytes() {
  check(mapping_ == Mapping::Private, "a read-only mapping cannot be written");
  return {data_, size_};
}

}  // namespace heed
