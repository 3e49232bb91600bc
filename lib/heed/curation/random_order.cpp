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

/// Reads what the functions above have written.
class Records {
 public:
  explicit Records(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return place_ == bytes_.size(); }
  template <class Number>
  Number number() {
    Number value{};
    std::memcpy(&value, bytes_.data() + place_, sizeof value);
    place_ += sizeof value;
    return value;
  }
  std::string text() {
    const auto size = number<uint64_t>();
    std::string value(bytes_.substr(place_, size));
    place_ += size;
    return value;
  }

 private:
  std::string_view bytes_;
  size_t place_ = 0;
};

}  // namespace

uint64_t random_key(uint64_t seed, int64_t line) {
  return RandomStream(seed, Purpose::Shuffle, 66, static_cast<uint64_t>(line))();
}

RandomOrder::RandomOrder(std::string scratch, uint64_t seed, size_t memory)
    : scratch_(std::move(scratch)), seed_(seed), memory_(memory), parts_(kParts) {}

RandomOrder::~RandomOrder() {
  for (const Part& part : parts_) {
    if (part.descriptor >= 0) close(part.descriptor);
  }
}

void RandomOrder::add(const Pair& pair) {
  const uint64_t key = random_key(seed_, pair.line);
  Part& part = parts_[key >> 58U];
  const size_t before = part.buffer.size();
  append_number(part.buffer, key);
  append_number(part.buffer, pair.line);
  append_text(part.buffer, pair.source);
  append_text(part.buffer, pair.target);
  append_text(part.buffer, pair.document);
  held_ += part.buffer.size() - before;
  if (held_ < memory_) return;
  for (Part& each : parts_) write(each);
  held_ = 0;
}

void RandomOrder::write(Part& part) {
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

std::string RandomOrder::text_of(Part& part) {
  std::string text(static_cast<size_t>(part.written), '\0');
  for (size_t done = 0; done < text.size();) {
    const ssize_t now = pread(part.descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) throw FileError(scratch_, "read", now < 0 ? errno : EIO);
    done += static_cast<size_t>(now);
  }
  text += part.buffer;
  part.buffer = {};
  return text;
}

void RandomOrder::take(const std::function<void(const Pair&)>& use) {
  for (Part& part : parts_) {
    const std::string text = text_of(part);
    std::vector<std::pair<uint64_t, Pair>> pairs;
    for (Records records(text); !records.done();) {
      auto& [key, pair] = pairs.emplace_back();
      key = records.number<uint64_t>();
      pair.line = records.number<int64_t>();
      pair.source = records.text();
      pair.target = records.text();
      pair.document = records.text();
    }
    std::ranges::sort(pairs, {}, [](const auto& entry) { return std::pair(entry.first, entry.second.line); });
    for (const auto& [key, pair] : pairs) use(pair);
  }
}

}  // namespace heed::curation
