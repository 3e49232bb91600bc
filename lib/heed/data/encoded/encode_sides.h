// Encodes both lines of a pair as ids.
#pragma once

#include "heed/data/encoded/encoded_pair.h"
#include "heed/text/targets/word_ids.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Sets source and target of the pair from its text. Without a source tokenizer the source has no ids. Labels of words
/// are spread over the ids of the source (spread_labels). Throws Error if the target's tokenizer refuses the target, or
/// if labels and words do not match.
void encode_sides(EncodedPair& pair, const text::Tokenizers& tokenizers);

/// For each id of the source: the label of the word that begins at this id, or kNoLabel if none does. Throws Error if
/// the numbers of labels and words differ.
text::WordLabels spread_labels(const text::WordIds& words, const text::WordLabels& of_words);

}  // namespace heed::data
