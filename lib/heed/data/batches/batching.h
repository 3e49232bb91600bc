// Turns encoded pairs into padded batches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/data/corpus/batch.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// One pair's ids, without bos and eos.
struct PairIds {
  int64_t line = 0;  ///< index in the corpus
  std::span<const int32_t> source;
  std::span<const int32_t> target;
};

/// Pads the pairs to the longest of them on each side, in their order. Without `has_source` the source has no column.
Batch make_batch(std::span<const PairIds> pairs, bool has_source, text::TargetKind kind = text::TargetKind::Text);
Batch make_batch(std::span<const PairIds> pairs, const EncodedPairs& from);
/// Its lines and numbers of tokens alone.
Batch outline_batch(std::span<const PairIds> pairs, const EncodedPairs& from);
/// The same of stored pairs, whose target is text: their lengths are all that is read.
Batch outline_batch(std::span<const int64_t> lines, const EncodedPairs& from);

/// What a pair counts for in the size of a batch: the target's tokens, eos counted; without target text the source's,
/// and its vectors.
int64_t batch_tokens(const PairIds& pair, const EncodedPairs& from);
/// Of a stored pair.
int64_t batch_tokens(int64_t line, const EncodedPairs& from);
/// Of all pairs.
int64_t batch_tokens(const EncodedCorpus& corpus);

/// Cuts [0, sizes.size()) into at most `parts` (and at most as many as there are sizes) contiguous, non-empty stretches
/// of nearly equal sums: each boundary is where the sum comes nearest to its share. Returns the begin of each stretch.
std::vector<int64_t> cut_evenly(std::span<const int64_t> sizes, int64_t parts);

/// All pairs, longest target first, in batches of at most `limit` batch_tokens (a longer single pair excepted): the
/// fixed order for computing a validation loss.
std::vector<Batch> ordered_batches(const EncodedCorpus& corpus, int64_t limit);

/// What padding costs.
struct Padding {
  int64_t tokens = 0;  ///< real ones, eos counted
  int64_t cells = 0;   ///< of the source matrices and of the predicted columns of the target matrices
  double share() const { return cells == 0 ? 0 : 1 - static_cast<double>(tokens) / static_cast<double>(cells); }
  Padding& operator+=(const Padding& other);
};
Padding padding(const Update& update);

}  // namespace heed::data
