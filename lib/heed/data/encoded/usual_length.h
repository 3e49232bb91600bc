// The usual length of the lines of a text: only few lines are longer.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::data {

class EncodedCorpus;

/// At most this share of the sources may be longer.
inline constexpr double kUnusualShare = 0.001;

/// How many sources have 0, 1, 2, ... tokens, eos not counted, up to the longest source.
using LengthCounts = std::vector<int64_t>;
void count_length(int64_t tokens, LengthCounts& counts);

/// The smallest number of tokens, eos not counted, that at most kUnusualShare of the sources exceed. 0: no source.
int64_t usual_source_length(const LengthCounts& counts);
int64_t usual_source_length(const EncodedCorpus& corpus);

}  // namespace heed::data
