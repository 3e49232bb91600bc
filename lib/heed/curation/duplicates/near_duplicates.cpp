#include "heed/curation/duplicates/near_duplicates.h"

#include <cerrno>
#include <cstdlib>
#include <numeric>

#include <unistd.h>

#include "heed/core/error.h"
#include "heed/curation/duplicates/disjoint_sets.h"

namespace heed::curation {
namespace {

constexpr size_t kBuffered = 16384;

}  // namespace

NearDuplicates::NearDuplicates(const std::string& scratch, double similarity)
    : bands_(scratch), similarity_(similarity), scratch_(scratch) {}

NearDuplicates::~NearDuplicates() {
  if (descriptor_ >= 0) close(descriptor_);
}

void NearDuplicates::add(const Sketch& sketch) {
  if (!sketch.empty) {
    for (const uint64_t band : sketch.bands) bands_.add(band, lines_);
  }
  buffered_.push_back(sketch.values);
  ++lines_;
  if (buffered_.size() == kBuffered) flush();
}

void NearDuplicates::flush() {
  if (descriptor_ < 0) {
    std::string name = scratch_ + ".XXXXXX";
    descriptor_ = mkstemp(name.data());
    if (descriptor_ < 0) throw FileError(scratch_, "write", errno);
    unlink(name.c_str());
  }
  const size_t bytes = buffered_.size() * sizeof(Values);
  for (size_t done = 0; done < bytes;) {
    const ssize_t now = pwrite(descriptor_, buffered_.data()->data() + done, bytes - done,
                               written_ * static_cast<int64_t>(sizeof(Values)) + static_cast<int64_t>(done));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) throw FileError(scratch_, "write", now < 0 ? errno : EIO);
    done += static_cast<size_t>(now);
  }
  written_ += std::ssize(buffered_);
  buffered_.clear();
}

NearDuplicates::Values NearDuplicates::values_at(int64_t line) const {
  if (line >= written_) return buffered_[static_cast<size_t>(line - written_)];
  Values values;
  if (pread(descriptor_, values.data(), values.size(), line * static_cast<int64_t>(sizeof values)) !=
      static_cast<ssize_t>(sizeof values)) {
    throw FileError(scratch_, "read", errno);
  }
  return values;
}

std::vector<int64_t> NearDuplicates::groups() {
  DisjointSets sets(lines_);
  int64_t last_first = -1;
  Sketch of_first;
  bands_.find([&](int64_t first, int64_t line) {
    if (sets.find(first) == sets.find(line)) return;
    if (first != last_first) of_first.values = values_at(first);
    last_first = first;
    if (of_first.similarity(values_at(line)) >= similarity_) sets.join(first, line);
  });
  std::vector<int64_t> groups(static_cast<size_t>(lines_));
  for (int64_t line = 0; line < lines_; ++line) groups[static_cast<size_t>(line)] = sets.find(line);
  return groups;
}

}  // namespace heed::curation
