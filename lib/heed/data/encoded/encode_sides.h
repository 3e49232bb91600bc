// The ids of a pair of lines.
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

/// The ids without bos and eos; without a source tokenizer the source has none. Of word labels the target is spread
/// over the source's ids (spread_labels). Throws Error at a target that its tokenizer refuses, or does not fit.
SideIds encode_sides(const TextPair& pair, const text::Tokenizers& tokenizers);

/// For each id of the source the label of the word that begins there, kNoLabel where none does. Throws Error where
/// there are not as many labels as words.
text::Ids spread_labels(const text::WordIds& words, std::span<const int32_t> labels);

}  // namespace heed::data
