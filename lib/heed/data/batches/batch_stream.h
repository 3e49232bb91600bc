// The stream of the batches of training steps. Threads prepare them in advance. window_plan.h defines
// the order of pairs, continuous_text.h the order of a continuous text. The stream is endless, unless its text
// is read once (streamed/). Its position can be saved and restored. The batches after it are then bit-identical to
// those of an uninterrupted stream, with any number of threads.
//
// If a tokenizer samples (subword regularization), each pair is encoded again from its text in every epoch. Source and
// then target use the random stream (seed, Purpose::Subwords, epoch, pair). Length bands and the token limit of a
// step are computed from the stored ids, although samples are somewhat longer. If a sample is empty or longer than
// the corpus's limits, the stored ids are used instead. The same holds for augmented pairs (augmentation.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "heed/data/batches/batch_source.h"
#include "heed/data/batches/stream_position.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/corpus/micro_batch.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// Why wait() returned: a batch is ready, the text has ended, or `gives_up` was true.
enum class Waited { Batch, End, Nothing };

class BatchStream {
 public:
  /// Starts its threads when the first batch is requested.
  BatchStream(std::unique_ptr<BatchSource> source, const StreamOptions& options);
  /// Starts at the beginning of epoch 0. `tokenizers`: see make_batch_source. Makes only those micro-batches of
  /// each step that belong to `share`. A continuous text cannot be shared.
  BatchStream(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers, const StreamOptions& options,
              uint64_t seed, const MicroBatchShare& share = {});
  ~BatchStream();

  /// Waits until the next batch is ready, the text has ended, or `gives_up` returns true; it is polled. Throws what
  /// next() does.
  Waited wait(const std::function<bool()>& gives_up);
  /// The next batch, which must exist. Waits until it is ready. Rethrows an exception of its preparation.
  StepBatch next();
  /// The pairs that the last batch of next() was made of. Call next() first.
  const EncodedPairs& pairs() const;
  /// Position of the batch that next() will return.
  StreamPosition position() const;
  /// Continues at `position`. Throws Error if this corpus with these options has no such position.
  void seek(const StreamPosition& position);
  /// Continues at about the position of a stream with other options, whose positions are invalid here. share: how much
  /// of the epoch that stream had returned, in [0, 1]. See BatchSource::seek_about.
  void seek_about(const StreamPosition& position, double share);

  /// The share of the current epoch's pairs that next() has returned, in [0, 1).
  double epoch_progress() const;
  /// Steps per epoch. Exact after the first step if the corpus has one window; otherwise an estimate.
  double steps_per_epoch() const;
  /// Seconds that next() has waited since construction.
  double waiting_seconds() const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace heed::data
