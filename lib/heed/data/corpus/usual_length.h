// How long the lines of a corpus are, but for a few.
#pragma once

#include <cstdint>

#include "heed/data/corpus/encoded_corpus.h"

namespace heed::data {

/// The share of the pairs whose sources are longer, at most.
inline constexpr double kUnusualShare = 0.001;

/// The fewest tokens, end-of-sentence not counted, that no more than that share of the sources exceed.
int64_t usual_source_length(const EncodedCorpus& corpus);

}  // namespace heed::data
