// Makes the batches of a planned update, with samples of the tokenizers where they have any.
#pragma once

#include <cstdint>
#include <memory>

#include "heed/core/random.h"
#include "heed/data/batch.h"
#include "heed/data/corpus/encoded_corpus.h"
#include "heed/data/update_planner.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// May be used by several threads at once.
class UpdateMaker {
 public:
  UpdateMaker(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers, int64_t parts,
              const PartShare& share, uint64_t seed);
  Update make(const PlannedUpdate& planned) const;

 private:
  struct SampledPair;
  SampledPair encode(int64_t pair, int64_t epoch) const;
  SampledPair encode_words(int64_t pair, RandomStream& random) const;

  std::shared_ptr<const EncodedCorpus> corpus_;
  text::Tokenizers tokenizers_;
  int64_t parts_;
  PartShare share_;
  uint64_t seed_;
};

}  // namespace heed::data
