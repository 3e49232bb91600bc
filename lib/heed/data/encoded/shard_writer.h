// Writes a shard of an encoded corpus: the layout is in corpus_layout.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/encoded_pair.h"

namespace heed::data {

/// The bucket of a line: a function of its number alone, so that each bucket is a uniform sample of the corpus.
int64_t bucket_of(uint64_t line, int64_t buckets);

/// Writes the file atomically; its bytes do not depend on the number of threads. pairs: those that are kept, in their
/// order in the text. Throws FileError.
void write_shard(const std::string& path, std::span<const EncodedPair* const> pairs, const ShardOrigin& origin,
                 const CorpusSummary& summary, int64_t threads);

}  // namespace heed::data
