// Encodes both lines of a pair as ids.
#pragma once

#include <span>

#include "heed/data/corpus/corpus_files.h"
#include "heed/text/targets/word_ids.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

struct SideIds {
  text::Ids source;
  text::Ids target;
};

/// The ids without bos and eos. Without a source tokenizer the source has none. Labels of words are spread over
/// the ids of the source (spread_labels). Throws Error if the target's tokenizer refuses the target, or if labels and
/// words do not match.
SideIds encode_sides(const TextPair& pair, const text::Tokenizers& tokenizers);

/// For each id of the source: the label of the word that begins at this id, or kNoLabel if none does. Throws Error if
/// the numbers of labels and words differ.
text::Ids spread_labels(const text::WordIds& words, std::span<const int32_t> labels);

}  // namespace heed::data
