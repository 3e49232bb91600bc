#include "heed/data/encoded/encode_sides.h"

#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/data/corpus/batch.h"

namespace heed::data {

SideIds encode_sides(const TextPair& pair, const text::Tokenizers& tokenizers) {
  SideIds ids{.source = {}, .target = tokenizers.target->encode(pair.target)};
  if (!tokenizers.source) return ids;
  if (tokenizers.target->target_kind() == text::TargetKind::WordLabels) {
    text::WordIds words = text::word_ids(*tokenizers.source, pair.source);
    ids.target = spread_labels(words, ids.target);
    ids.source = std::move(words.ids);
  } else {
    ids.source = tokenizers.source->encode(pair.source);
  }
  return ids;
}

text::Ids spread_labels(const text::WordIds& words, std::span<const int32_t> labels) {
  if (labels.size() != words.begins.size()) {
    throw Error(fmt::format("has {} for the {} of its source", counted(std::ssize(labels), "label"),
                            counted(std::ssize(words.begins), "word")));
  }
  text::Ids spread(words.ids.size(), static_cast<int32_t>(kNoLabel));
  for (size_t word = 0; word < labels.size(); ++word) spread[static_cast<size_t>(words.begins[word])] = labels[word];
  return spread;
}

}  // namespace heed::data
