#include "heed/curation/random_order.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "heed/core/error.h"
#include "heed/core/random.h"

namespace heed::curation {
namespace {

template <class Number>
void append_number(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void append_text(std::string& text, const std::string& value) {
  append_number(text, static_cast<uint64_t>(value.size()));
  text += value;
}

/// A pair with its random number. In a file: the number, the line, then the size and the bytes of each text.
struct Record {
  uint64_t key = 0;
  Pair pair;
};

void append(std::string& bytes, uint64_t key, const Pair& pair) {
  append_number(bytes, key);
  append_number(bytes, pair.line);
  for (const std::string* text : {&pair.source, &pair.target, &pair.document}) append_text(bytes, *text);
}

/// Takes the first record off the bytes. Returns false if they have no whole record.
bool take_record(std::string_view& bytes, Record& record) {
  std::string_view rest = bytes;
  const auto take_number = [&](auto& number) {
    if (rest.size() < sizeof number) return false;
    std::memcpy(&number, rest.data(), sizeof number);
    rest.remove_prefix(sizeof number);
    return true;
  };
  const auto take_text = [&](std::string& text) {
    uint64_t size = 0;
    if (!take_number(size) || rest.size() < size) return false;
    text.assign(rest.substr(0, size));
    rest.remove_prefix(size);
    return true;
  };
  if (!take_number(record.key) || !take_number(record.pair.line) || !take_text(record.pair.source) ||
      !take_text(record.pair.target) || !take_text(record.pair.document)) {
    return false;
  }
  bytes = rest;
  return true;
}

}  // namespace

uint64_t random_key(uint64_t seed, int64_t line) {
  return RandomStream(seed, Purpose::Shuffle, 66, static_cast<uint64_t>(line))();
}

RandomOrder::RandomOrder(std::string scratch, uint64_t seed, size_t memory, unsigned bits_before)
    : scratch_(std::move(scratch)), seed_(seed), memory_(memory), bits_before_(bits_before), parts_(kParts) {}

RandomOrder::~RandomOrder() {
  for (const Part& part : parts_) {
    if (part.descriptor >= 0) close(part.descriptor);
  }
}

void RandomOrder::add(const Pair& pair) {
  const uint64_t key = random_key(seed_, pair.line);
  Part& part = parts_[(key << bits_before_) >> (64U - kBits)];
  const size_t before = part.buffer.size();
  append(part.buffer, key, pair);
  held_ += part.buffer.size() - before;
  if (held_ < memory_) return;
  for (Part& each : parts_) write(each);
  held_ = 0;
}

void RandomOrder::write(Part& part) {
  if (part.buffer.empty()) return;
  if (part.descriptor < 0) {
    std::string name = scratch_ + ".XXXXXX";
    part.descriptor = mkstemp(name.data());
    if (part.descriptor < 0) throw FileError(scratch_, "write", errno);
    unlink(name.c_str());
  }
  for (size_t done = 0; done < part.buffer.size();) {
    const ssize_t now = ::write(part.descriptor, part.buffer.data() + done, part.buffer.size() - done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) throw FileError(scratch_, "write", now < 0 ? errno : EIO);
    done += static_cast<size_t>(now);
  }
  part.written += std::ssize(part.buffer);
  part.buffer.clear();
}

/// Bytes of a part's file.
std::string RandomOrder::read(const Part& part, int64_t begin, size_t count) const {
  std::string bytes(count, '\0');
  for (size_t done = 0; done < count;) {
    const off_t at = begin + static_cast<off_t>(done);
    const ssize_t now = pread(part.descriptor, bytes.data() + done, count - done, at);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) throw FileError(scratch_, "read", now < 0 ? errno : EIO);
    done += static_cast<size_t>(now);
  }
  return bytes;
}

void RandomOrder::take(const std::function<void(const Pair&)>& use) {
  const bool in_files = std::ranges::any_of(parts_, [](const Part& part) { return part.written > 0; });
  if (in_files) std::ranges::for_each(parts_, [this](Part& part) { write(part); });
  for (Part& part : parts_) {
    // Further bits hardly divide the few pairs of a small part.
    const bool is_divided = part.written > static_cast<int64_t>(memory_) && bits_before_ + 2 * kBits <= 64;
    is_divided ? spread_again(part, use) : sort(part, use);
    if (part.descriptor >= 0) close(part.descriptor);
    part = {};
  }
}

void RandomOrder::sort(const Part& part, const std::function<void(const Pair&)>& use) const {
  const std::string text = part.written > 0 ? read(part, 0, static_cast<size_t>(part.written)) : part.buffer;
  std::vector<Record> records;
  std::string_view rest = text;
  for (Record record; take_record(rest, record);) records.push_back(std::exchange(record, {}));
  std::ranges::sort(records, {}, [](const Record& record) { return std::pair(record.key, record.pair.line); });
  for (const Record& record : records) use(record.pair);
}

/// Takes the pairs of a part that is too large to be sorted at once.
void RandomOrder::spread_again(const Part& part, const std::function<void(const Pair&)>& use) const {
  constexpr int64_t kBlock = 1 << 20;
  RandomOrder finer(scratch_, seed_, memory_, bits_before_ + kBits);
  std::string bytes;  // read, but not yet taken
  for (int64_t begin = 0; begin < part.written; begin += kBlock) {
    bytes += read(part, begin, static_cast<size_t>(std::min(kBlock, part.written - begin)));
    std::string_view rest = bytes;
    for (Record record; take_record(rest, record);) finer.add(record.pair);
    bytes.erase(0, bytes.size() - rest.size());
  }
  finer.take(use);
}

}  // namespace heed::curation
