// Makes a shard of an encoded corpus: reads its text, and writes it in the layout of corpus_layout.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/encoded_pair.h"

namespace heed::data {

struct ShardText {
  int64_t first_line = 0;
  std::vector<EncodedPair> pairs;  ///< every line as a pair that is not encoded yet; empty: the text has ended
  std::string sha256;              ///< SHA-256 of the lines
  int64_t replaced_lines = 0;      ///< lines in which ill-formed bytes were replaced
};

/// Reads the next 262,144 lines, or the next 32 MiB if those have fewer lines.
ShardText read_shard(PairReader& reader);

/// The number of buckets for these files: one per 32 MiB of text, at most 2,048.
int64_t usual_buckets(const CorpusFiles& files);
/// Whether ids or numbers of these tokenizers do not fit into 16 bits.
bool needs_wide_ids(const text::Tokenizers& tokenizers);

/// The bucket of a line. It depends only on the line number, so each bucket is a uniform sample of the corpus.
int64_t bucket_of(uint64_t line, int64_t buckets);

/// Writes the file atomically. Its bytes do not depend on the number of threads. pairs: the pairs that are kept, in the
/// order of the text. Throws FileError.
void write_shard(const std::string& path, std::span<const EncodedPair* const> pairs, const ShardOrigin& origin,
                 const CorpusSummary& summary, int64_t threads);

}  // namespace heed::data
