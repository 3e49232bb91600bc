#include "heed/data/encoded/encode_sides.h"

#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/text/placeholders.h"

namespace heed::data {

void encode_sides(EncodedPair& pair, const text::Tokenizers& tokenizers) {
  if (tokenizers.placeholders) {
    std::string source = pair.text.source, target = pair.text.target;
    tokenizers.placeholders->mask_pair(source, target);
    pair.source = tokenizers.source->encode(source);
    pair.target = tokenizers.target->target(target);
    return;
  }
  text::Target target = tokenizers.target->target(pair.text.target);
  text::Ids source;
  if (auto* labels = std::get_if<text::WordLabels>(&target); labels && tokenizers.source) {
    text::WordIds words = text::word_ids(*tokenizers.source, pair.text.source);
    *labels = spread_labels(words, *labels);
    source = std::move(words.ids);
  } else if (tokenizers.source) {
    source = tokenizers.source->encode(pair.text.source);
  }
  pair.source = std::move(source);
  pair.target = std::move(target);
}

text::WordLabels spread_labels(const text::WordIds& words, const text::WordLabels& of_words) {
  const text::Ids& labels = of_words.labels;
  if (labels.size() != words.begins.size()) {
    throw Error(fmt::format("has {} for the {} of its source", counted(std::ssize(labels), "label"),
                            counted(std::ssize(words.begins), "word")));
  }
  text::WordLabels spread{text::Ids(words.ids.size(), text::kNoLabel)};
  for (size_t word = 0; word < labels.size(); ++word) {
    spread.labels[static_cast<size_t>(words.begins[word])] = labels[word];
  }
  return spread;
}

}  // namespace heed::data
