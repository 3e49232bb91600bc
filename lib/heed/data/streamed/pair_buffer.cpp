#include "heed/data/streamed/pair_buffer.h"

#include <utility>

#include "heed/core/error.h"

namespace heed::data {

PairBuffer::PairBuffer(const CorpusForm& form, CorpusOptions limits, int64_t first)
    : form_(form), limits_(std::move(limits)), first_(first) {}

void PairBuffer::add(const EncodedPair& pair) {
  entries_.push_back({.line = pair.line,
                      .ids = ids_.size(),
                      .text = text_.size(),
                      .source_ids = static_cast<uint32_t>(pair.source.size()),
                      .target_ids = static_cast<uint32_t>(pair.target.size()),
                      .source_bytes = static_cast<uint32_t>(pair.text.source.size()),
                      .target_bytes = static_cast<uint32_t>(pair.text.target.size()),
                      .weight = pair.text.weight});
  for (const text::Ids* side : {&pair.source, &pair.target}) ids_.insert(ids_.end(), side->begin(), side->end());
  text_.append(pair.text.source).append(pair.text.target);
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

text::Ids PairBuffer::target_ids(int64_t pair) const {
  const Entry& found = entry(pair);
  return ids(found.ids + found.source_ids, found.target_ids);
}

TextPair PairBuffer::text(int64_t pair) const {
  const Entry& found = entry(pair);
  return {.source = text_.substr(found.text, found.source_bytes),
          .target = text_.substr(found.text + found.source_bytes, found.target_bytes),
          .weight = found.weight};
}

std::string PairBuffer::place(int64_t pair) const { return places_.of(static_cast<int64_t>(entry(pair).line)); }

int64_t PairBuffer::vector_item(int64_t pair) const { return static_cast<int64_t>(entry(pair).line); }

}  // namespace heed::data
