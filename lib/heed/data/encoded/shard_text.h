// Reads the text of one shard, and decides how many buckets a corpus has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"
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

}  // namespace heed::data
