// Which pairs of a text are trained on: they are encoded, and those that are empty, too long or filtered are left out.
#pragma once

#include <cstdint>
#include <span>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/data/encoded/encoded_pair.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Fills in what the text of each pair becomes. vectors: of the sources; null: there are none.
void encode_pairs(std::span<EncodedPair> pairs, const text::Tokenizers& tokenizers, const SourceVectors* vectors,
                  int64_t threads);

/// Counts an encoded pair; whether it is kept. kind: of its target.
bool admit(const EncodedPair& pair, text::TargetKind kind, const CorpusOptions& options, CorpusSummary& summary);

}  // namespace heed::data
