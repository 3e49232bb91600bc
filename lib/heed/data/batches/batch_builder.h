// Makes the micro-batches of a planned step. If a tokenizer samples (subword regularization) or the text is augmented,
// pairs are encoded again from their text. Alignments become links between tokens. An augmented pair has none.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/core/random.h"
#include "heed/data/batches/augmentation.h"
#include "heed/data/batches/batch_planner.h"
#include "heed/data/batches/batching.h"
#include "heed/data/corpus/micro_batch.h"
#include "heed/data/encoded/encoded_pairs.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Thread-safe.
class BatchBuilder {
 public:
  BatchBuilder(text::Tokenizers tokenizers, int64_t micro_batches, const MicroBatchShare& share, uint64_t seed,
               Augmentation augmentation = {});
  StepBatch make(const PlannedBatch& planned) const;

 private:
  StepBatch make_stored(std::span<const int64_t> lines, const EncodedPairs& from) const;
  StepBatch make_encoded(std::span<const int64_t> lines, const PlannedBatch& planned) const;
  StepBatch cut(std::span<const int64_t> sizes,
                const std::function<MicroBatch(size_t begin, size_t count, bool is_ours)>& make_micro_batch) const;
  BatchPair stored(int64_t line, const EncodedPairs& from) const;
  BatchPair encode(int64_t line, const PlannedBatch& planned) const;
  void encode_sampled(BatchPair& pair, const TextPair& text, const EncodedPairs& from, RandomStream& random) const;
  bool encode_augmented(BatchPair& pair, const PlannedBatch& planned, RandomStream& random) const;
  void encode_words(BatchPair& pair, const TextPair& text, int64_t longest, RandomStream& random) const;

  text::Tokenizers tokenizers_;
  int64_t micro_batches_;
  MicroBatchShare share_;
  uint64_t seed_;
  bool samples_;
  Augmentation augmentation_;
};

}  // namespace heed::data
