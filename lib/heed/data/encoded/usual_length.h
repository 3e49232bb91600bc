// How long the lines of a text are, but for a few.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::data {

class EncodedCorpus;

/// The share of the pairs whose sources are longer, at most.
inline constexpr double kUnusualShare = 0.001;

/// How many sources have 0, 1, 2, ... tokens, end-of-sentence not counted, up to the longest.
using LengthCounts = std::vector<int64_t>;
void count_length(int64_t tokens, LengthCounts& counts);

/// The fewest tokens, end-of-sentence not counted, that no more than that share of the sources exceed; 0: there is no
/// source.
int64_t usual_source_length(const LengthCounts& counts);
int64_t usual_source_length(const EncodedCorpus& corpus);

}  // namespace heed::data
