// Statistics of the sources of a text: their usual length, which only few exceed, and how many have a token.
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

/// Document frequencies for inverse document frequency (idf): the number of sources that contain each id below
/// `vocabulary`. eos is in every source. unk has the count 0: it represents words that were never seen or are too rare
/// for the vocabulary.
std::vector<int64_t> source_document_frequencies(const EncodedCorpus& corpus, int64_t vocabulary);

}  // namespace heed::data
