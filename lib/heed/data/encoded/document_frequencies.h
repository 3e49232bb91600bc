// Document frequencies for inverse document frequency (idf): the number of source lines that contain each token.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// The number of source lines of the corpus that contain each id below `vocabulary`. eos is in every line. unk has the
/// count 0: it represents words that were never seen or are too rare for the vocabulary.
std::vector<int64_t> source_document_frequencies(const EncodedCorpus& corpus, int64_t vocabulary);

}  // namespace heed::data
