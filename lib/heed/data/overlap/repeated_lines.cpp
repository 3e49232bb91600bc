#include "heed/data/overlap/repeated_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <tuple>

#include <unistd.h>

#include "heed/core/error.h"

namespace heed::data {
namespace {

constexpr size_t kBlock = 4096;  // entries per write

/// Calls transfer(bytes so far) until all bytes are transferred.
template <class Transfer>
void transfer_all(size_t bytes, const std::string& path, const char* verb, const Transfer& transfer) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t now = transfer(done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) throw FileError(path, verb, now < 0 ? errno : EIO);
    done += static_cast<size_t>(now);
  }
}

}  // namespace

RepeatedLines::~RepeatedLines() {
  if (descriptor_ >= 0) close(descriptor_);
}

void RepeatedLines::add(uint64_t key, int64_t line) {
  Part& part = parts_[key >> 56U];
  part.held.push_back({.key = key, .line = line});
  if (part.held.size() == kBlock) write(part);
}

void RepeatedLines::write(Part& part) {
  if (descriptor_ < 0) {
    std::string name = scratch_ + ".XXXXXX";
    descriptor_ = mkstemp(name.data());
    if (descriptor_ < 0) throw FileError(scratch_, "write", errno);
    unlink(name.c_str());
  }
  const auto bytes = std::as_bytes(std::span(part.held));
  transfer_all(bytes.size(), scratch_, "write", [&](size_t done) {
    return pwrite(descriptor_, bytes.data() + done, bytes.size() - done, written_ + static_cast<int64_t>(done));
  });
  part.blocks.push_back(written_);
  written_ += std::ssize(bytes);
  part.held.clear();
}

std::vector<RepeatedLines::Entry> RepeatedLines::entries_of(const Part& part) const {
  std::vector<Entry> entries(part.blocks.size() * kBlock);
  size_t place = 0;
  for (const int64_t block : part.blocks) {
    const auto bytes = std::as_writable_bytes(std::span(entries).subspan(place, kBlock));
    transfer_all(bytes.size(), scratch_, "read", [&](size_t done) {
      return pread(descriptor_, bytes.data() + done, bytes.size() - done, block + static_cast<int64_t>(done));
    });
    place += kBlock;
  }
  entries.insert(entries.end(), part.held.begin(), part.held.end());
  return entries;
}

void RepeatedLines::find(const std::function<void(int64_t first, int64_t line)>& found) {
  for (Part& part : parts_) {
    std::vector<Entry> entries = entries_of(part);
    part = {};
    std::ranges::sort(entries, {}, [](const Entry& entry) { return std::tie(entry.key, entry.line); });
    const Entry* first = nullptr;
    for (const Entry& entry : entries) {
      if (first && first->key == entry.key)
        found(first->line, entry.line);
      else
        first = &entry;
    }
  }
}

}  // namespace heed::data
