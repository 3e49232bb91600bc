// Document frequencies: in how many lines of the source each token occurs, for inverse document frequencies (idf).
#pragma once

#include <cstdint>
#include <vector>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// For each id below `vocabulary` the number of source lines of the corpus that have it. eos is in each of them; unk is
/// in none, as it stands for words that were never seen, or too seldom for an entry.
std::vector<int64_t> source_document_frequencies(const EncodedCorpus& corpus, int64_t vocabulary);

}  // namespace heed::data
