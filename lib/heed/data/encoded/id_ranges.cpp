#include "heed/data/encoded/id_ranges.h"

#include <variant>

namespace heed::data {
namespace {

IdRange range_of(const text::Tokenizer& tokenizer) {
  const text::Target type = tokenizer.target_type();
  if (std::holds_alternative<text::Numbers>(type)) return {};
  return {.first = std::holds_alternative<text::WordLabels>(type) ? text::kNoLabel : 0,
          .last = static_cast<int32_t>(tokenizer.size() - 1)};
}

}  // namespace

// The loop has no early exit, so that the compiler can vectorize it.
bool IdRange::holds(std::span<const int32_t> ids) const {
  bool all = true;
  for (const int32_t id : ids) all &= static_cast<bool>((first <= id) & (id <= last));
  return all;
}

IdRanges id_ranges(const text::Tokenizers& tokenizers) {
  IdRanges ranges;
  if (tokenizers.source) ranges.source = range_of(*tokenizers.source);
  ranges.target = range_of(*tokenizers.target);
  return ranges;
}

}  // namespace heed::data
