#include "heed/data/streamed/buffer_source.h"

#include <array>
#include <cstring>
#include <utility>
#include <variant>

#include "heed/core/error.h"

namespace heed::data {
namespace {

/// Appends the number of elements, then their bytes.
template <class Elements>
void append(const Elements& elements, std::string& bytes) {
  const uint64_t count = elements.size();
  std::array<char, sizeof count> number{};
  std::memcpy(number.data(), &count, sizeof count);
  bytes.append(number.data(), number.size());
  const size_t begin = bytes.size(), size = count * sizeof(typename Elements::value_type);
  bytes.resize(begin + size);
  if (size > 0) std::memcpy(bytes.data() + begin, elements.data(), size);
}

template <class Elements>
void take(std::string_view& bytes, Elements& elements) {
  uint64_t count = 0;
  const auto copy = [&](void* to, size_t size) {
    check(size <= bytes.size(), "a buffer of pairs was cut short on its way");
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  copy(&count, sizeof count);
  elements.resize(count);
  copy(elements.data(), count * sizeof(typename Elements::value_type));
}

}  // namespace

PairBuffer::PairBuffer(const CorpusForm& form, CorpusOptions limits, int64_t first)
    : form_(form), limits_(std::move(limits)), first_(first) {}

PairBuffer::PairBuffer(const CorpusForm& form, CorpusOptions limits, int64_t first, std::string_view packed)
    : PairBuffer(form, std::move(limits), first) {
  take(packed, entries_);
  take(packed, ids_);
  take(packed, text_);
}

std::string PairBuffer::packed() const {
  std::string bytes;
  append(entries_, bytes);
  append(ids_, bytes);
  append(text_, bytes);
  return bytes;
}

void PairBuffer::add(const EncodedPair& pair) {
  const auto& target = std::get<text::Ids>(pair.target);
  entries_.push_back({.line = pair.line,
                      .ids = ids_.size(),
                      .text = text_.size(),
                      .source_ids = static_cast<uint32_t>(pair.source.size()),
                      .target_ids = static_cast<uint32_t>(target.size()),
                      .source_bytes = static_cast<uint32_t>(pair.text.source.size()),
                      .target_bytes = static_cast<uint32_t>(pair.text.target.size()),
                      .alignment_bytes = static_cast<uint32_t>(pair.text.alignment.size()),
                      .weight = pair.text.weight});
  for (const text::Ids* side : {&pair.source, &target}) ids_.insert(ids_.end(), side->begin(), side->end());
  text_.append(pair.text.source).append(pair.text.target).append(pair.text.alignment);
}

const PairBuffer::Entry& PairBuffer::entry(int64_t pair) const {
  check(pair >= first_ && pair < first_ + size(), "a pair that the buffer does not have");
  return entries_[static_cast<size_t>(pair - first_)];
}

text::Ids PairBuffer::ids(uint64_t begin, uint32_t count) const {
  const auto first = ids_.begin() + static_cast<int64_t>(begin);
  return {first, first + count};
}

text::Ids PairBuffer::source_ids(int64_t pair) const { return ids(entry(pair).ids, entry(pair).source_ids); }

text::Target PairBuffer::target(int64_t pair) const {
  const Entry& found = entry(pair);
  return ids(found.ids + found.source_ids, found.target_ids);
}

TextPair PairBuffer::text(int64_t pair) const {
  const Entry& found = entry(pair);
  const uint64_t target = found.text + found.source_bytes;
  return {.source = text_.substr(found.text, found.source_bytes),
          .target = text_.substr(target, found.target_bytes),
          .weight = found.weight,
          .alignment = text_.substr(target + found.target_bytes, found.alignment_bytes)};
}

std::string PairBuffer::place(int64_t pair) const { return places_.of(static_cast<int64_t>(entry(pair).line)); }

int64_t PairBuffer::vector_item(int64_t pair) const { return static_cast<int64_t>(entry(pair).line); }

}  // namespace heed::data
