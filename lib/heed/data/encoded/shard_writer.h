// Writes a shard of an encoded corpus. corpus_layout.h describes the layout.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/encoded_pair.h"

namespace heed::data {

/// The bucket of a line. It depends only on the line number, so each bucket is a uniform sample of the corpus.
int64_t bucket_of(uint64_t line, int64_t buckets);

/// Writes the file atomically. Its bytes do not depend on the number of threads. pairs: the pairs that are kept, in the
/// order of the text. Throws FileError.
void write_shard(const std::string& path, std::span<const EncodedPair* const> pairs, const ShardOrigin& origin,
                 const CorpusSummary& summary, int64_t threads);

}  // namespace heed::data
