// The encoded corpora of a training, in its model directory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/config/setup/run_overlap.h"
#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/validator.h"

namespace heed::config {

/// The path of a corpus, and the files that it is made from.
struct CorpusPlace {
  std::string path;
  data::CorpusFiles files;
};

/// Opens the corpus if it exists and fits. Otherwise the ranks that see the text encode it together, without the lines
/// that the overlap leaves out. Rank 0 calls it while the other ranks call help_encode.
std::shared_ptr<const data::EncodedCorpus> open_training_corpus(const CorpusPlace& place,
                                                                const text::Tokenizers& tokenizers,
                                                                const RunOptions& options, int64_t threads,
                                                                distributed::RankGroup& ranks, RunOverlap& overlap);
/// Whether rank 0 asks for help; the caller must then call help_encode.
bool asked_to_encode(distributed::RankGroup& ranks);
/// Encodes this rank's share of the text.
void help_encode(const CorpusPlace& place, const text::Tokenizers& tokenizers, const RunOptions& options,
                 int64_t threads, distributed::RankGroup& ranks);

/// Opens the encoded corpus, or makes it, and reads its text.
training::ValidationSet open_validation_set(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                            const RunOptions& options, int64_t threads);
/// The same for a corpus that rank 0 has made.
training::ValidationSet opened_validation_set(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                              const RunOptions& options);

/// Opens a corpus that rank 0 has made.
std::shared_ptr<const data::EncodedCorpus> opened_corpus(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                                         const RunOptions& options);

}  // namespace heed::config
