// Keys of pairs: 64-bit hashes by which equal pairs are found. Space around a side does not count. Of n different pairs
// n^2 / 2^65 have the key of another one on average: 0.0003 of 100 million.
#pragma once

#include <cstdint>

#include "heed/data/corpus/corpus_files.h"

namespace heed::data {

/// Whether a pair is compared with others: no side that the text has is blank, its weight is above 0 and it is not bad.
bool is_compared(const TextPair& pair, bool has_source);

uint64_t source_key(const TextPair& pair);
/// The key of both sides; without a source that of the target.
uint64_t pair_key(const TextPair& pair);

}  // namespace heed::data
