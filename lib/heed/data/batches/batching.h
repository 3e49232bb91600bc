// Turns encoded pairs into padded batches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/data/corpus/micro_batch.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// A pair as a micro-batch has it, without bos and eos.
struct BatchPair {
  int64_t line = 0;  ///< index in the corpus
  text::Ids source;
  text::Target target;
  std::vector<TokenLink> links = {};  ///< their row is not set yet
};
/// The pair as it is stored.
BatchPair stored_pair(int64_t line, const EncodedPairs& from);

/// Pads the pairs to the longest source and the longest target among them, and keeps their order. All have targets of
/// the same type. If `has_source` is false, the source has 0 columns.
MicroBatch make_batch(std::span<const BatchPair> pairs, bool has_source);
MicroBatch make_batch(std::span<const BatchPair> pairs, const EncodedPairs& from);
/// A batch with only the line numbers and token counts of the pairs, without their ids.
MicroBatch outline_batch(std::span<const BatchPair> pairs, const EncodedPairs& from);
/// The same for stored pairs whose target is text. Only their lengths are read.
MicroBatch outline_batch(std::span<const int64_t> lines, const EncodedPairs& from);

/// How much a pair adds to the size of a batch: its target tokens, eos counted. If the target is not text: its source
/// tokens and vectors.
int64_t batch_tokens(const BatchPair& pair, const EncodedPairs& from);
/// The same for a stored pair.
int64_t batch_tokens(int64_t line, const EncodedPairs& from);
/// The sum over all pairs of the corpus.
int64_t batch_tokens(const EncodedCorpus& corpus);

/// Splits [0, sizes.size()) into at most `parts` contiguous, non-empty ranges with nearly equal sums of sizes. There
/// are never more ranges than sizes. Each boundary is where the running sum is nearest to its share. Returns the start
/// of each range.
std::vector<int64_t> cut_evenly(std::span<const int64_t> sizes, int64_t parts);

/// All pairs in batches of at most `limit` batch_tokens, longest target first. A longer pair is a batch by itself. This
/// is the fixed order in which the validation loss is computed.
std::vector<MicroBatch> ordered_batches(const EncodedCorpus& corpus, int64_t limit);

/// How much of the batches is padding.
struct Padding {
  int64_t tokens = 0;  ///< tokens without padding, eos counted
  int64_t cells = 0;   ///< cells of the source matrices and of the predicted columns of the target matrices
  double share() const { return cells == 0 ? 0 : 1 - static_cast<double>(tokens) / static_cast<double>(cells); }
  Padding& operator+=(const Padding& other);
};
Padding padding(const StepBatch& step);

}  // namespace heed::data
