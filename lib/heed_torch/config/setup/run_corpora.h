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

/// Where a corpus is, or will be.
struct CorpusPlace {
  std::string path;
  data::CorpusFiles files;
};

/// The corpus that is there if it fits. Otherwise the ranks that see the text encode it together, without the lines
/// that the overlap leaves out. To be called by rank 0, while the others call help_encode.
std::shared_ptr<const data::EncodedCorpus> open_training_corpus(const CorpusPlace& place,
                                                                const text::Tokenizers& tokenizers,
                                                                const RunOptions& options, int64_t threads,
                                                                distributed::RankGroup& ranks, RunOverlap& overlap);
/// Whether rank 0 asks for help; to be followed by help_encode then.
bool asked_to_encode(distributed::RankGroup& ranks);
/// This rank's share of what rank 0 encodes.
void help_encode(const CorpusPlace& place, const text::Tokenizers& tokenizers, const RunOptions& options,
                 int64_t threads, distributed::RankGroup& ranks);

/// With its text, from the encoded corpus that is there, or is made.
training::ValidationSet open_validation_set(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                            const RunOptions& options, int64_t threads);
/// The same of one that rank 0 has made.
training::ValidationSet opened_validation_set(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                              const RunOptions& options);

/// One that rank 0 has made.
std::shared_ptr<const data::EncodedCorpus> opened_corpus(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                                         const RunOptions& options);

}  // namespace heed::config
