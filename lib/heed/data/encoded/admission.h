// Decides which pairs of a text are trained on. It encodes the pairs, then leaves out those that are empty, too long or
// filtered.
#pragma once

#include <cstdint>
#include <span>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/data/encoded/encoded_pair.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Encodes each pair: fills in all members after its text and line. vectors: those of the sources; null: none.
void encode_pairs(std::span<EncodedPair> pairs, const text::Tokenizers& tokenizers, const SourceVectors* vectors,
                  int64_t threads);

/// Counts an encoded pair and returns whether it is kept. form: that of the corpus.
bool admit(const EncodedPair& pair, const CorpusForm& form, const CorpusOptions& options, CorpusSummary& summary);

}  // namespace heed::data
