// The text of one shard of a corpus, and into how many parts a corpus is cut.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/encoded/encoded_pair.h"

namespace heed::data {

struct ShardText {
  int64_t first_line = 0;
  std::vector<EncodedPair> pairs;  ///< not encoded yet, of all lines; empty: there are no more
  std::string sha256;              ///< of the lines
  int64_t replaced_lines = 0;      ///< in which ill-formed bytes were replaced
};

/// The next 262,144 lines, or the next 32 MiB if they are fewer.
ShardText read_shard(PairReader& reader);

/// The buckets that these files are dealt to: one for each 32 MiB, at most 2,048.
int64_t usual_buckets(const CorpusFiles& files);
/// Whether 16 bits are too few for what these tokenizers give.
bool needs_wide_ids(const text::Tokenizers& tokenizers);

}  // namespace heed::data
