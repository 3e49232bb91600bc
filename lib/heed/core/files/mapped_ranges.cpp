#include "heed/core/files/mapped_ranges.h"

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace heed {
namespace {

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

}  // namespace

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

void unregister_mapped_range(const void* begin) {
  const std::scoped_lock lock(changing_ranges);
  MappedRange* range = range_that_begins(reinterpret_cast<uintptr_t>(begin));
  if (range != nullptr) range->begin.store(0, std::memory_order_release);
}

}  // namespace heed
