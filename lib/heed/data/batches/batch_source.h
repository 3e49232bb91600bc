// Supplies a stream with the batches of training steps. A source makes them of the sentence pairs of a stored corpus,
// of text that is read once, or of a continuous text. Sentence pairs are sorted into length bands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "heed/data/batches/batch_planner.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/micro_batch.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

class BatchSource {
 public:
  virtual ~BatchSource() = default;
  /// Plans the next step. Epochs of a corpus follow each other without end; text that is read once ends with nullopt.
  /// May wait for lines.
  virtual std::optional<PlannedBatch> next() = 0;
  /// Makes a next() that waits for lines throw. Call no next() after it. May be called while next() runs.
  virtual void give_up() {}
  /// Thread-safe; may also be called while next() runs.
  virtual StepBatch make(const PlannedBatch& planned) const = 0;
  /// Throws Error if the position does not exist.
  virtual void seek(const StreamPosition& position) = 0;
  /// Moves to about the position that a source with other options had. This is the first step with at least `share`,
  /// in [0, 1], of the position's epoch before it. If there is none, it moves to the next epoch. Text that is read once
  /// has no share. It moves to the first step of the position's buffer before which at least as many pairs were used.
  virtual void seek_about(const StreamPosition& position, double share) = 0;
  /// Position of the next step.
  virtual const StreamPosition& position() const = 0;
  /// Share of the epoch before the current position.
  virtual double progress() const = 0;
  /// An estimate, available before the first step is planned.
  virtual double steps_per_epoch() const = 0;
};

/// `tokenizers` are used for sampling, augmented text and alignments only. A continuous text is never sampled, and
/// cannot be shared between processes.
std::unique_ptr<BatchSource> make_batch_source(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers,
                                               const StreamOptions& options, const MicroBatchShare& share,
                                               uint64_t seed);

}  // namespace heed::data
