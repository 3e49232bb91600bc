// Notices a training text whose source and target are exchanged.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/overlap/text_overlap.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Warns if the source of the training text looks like the target of the validation text, and the target like its
/// source. Compares the frequencies of byte pairs in the first kSampledPairs pairs. Reads nothing unless both texts
/// have a source of text. Throws what PairReader does.
void warn_of_swapped_sides(const ComparedTexts& texts);

/// Warns if the tokenizers of a trained model, in which a training begins, need fewer tokens for the exchanged sides.
/// A joint tokenizer cannot show this. model: its name in the message. Throws what PairReader does.
void warn_of_swapped_sides(const CorpusFiles& train, const TextFormat& format, const text::Tokenizers& tokenizers,
                           const std::string& model);

inline constexpr int64_t kSampledPairs = 1000;

}  // namespace heed::data
