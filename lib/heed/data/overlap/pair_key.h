// Keys of pairs: 64-bit hashes that find equal pairs. Space around a side is ignored. Among n different pairs, n^2 /
// 2^65 keys collide on average: 0.0003 for 100 million pairs.
#pragma once

#include <cstdint>

#include "heed/data/corpus/corpus_files.h"

namespace heed::data {

/// Whether a pair is compared with others. Every side that the text has must be non-blank, the weight above 0, and the
/// pair not bad.
bool is_compared(const TextPair& pair, bool has_source);

uint64_t source_key(const TextPair& pair);
/// The key of both sides. Without a source it is the key of the target.
uint64_t pair_key(const TextPair& pair);

}  // namespace heed::data
