// The stream of updates that training reads, prepared in advance by threads of its own. See window_plan.h for the order
// of pairs, text_columns.h for that of a continuous text. It is endless, unless its text is read once (streamed/). Its
// position can be saved and sought: what follows is bit for bit what an uninterrupted stream gives, whatever the number
// of threads.
//
// Where a tokenizer samples (subword regularization), each pair is encoded anew from its text in every epoch, source
// then target, with the random stream (seed, Purpose::Subwords, epoch, pair). Bands and the limit of an update's tokens
// come from the stored ids: samples are somewhat longer. A sample that is empty or longer than the corpus's limits
// gives way to the stored ids.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "heed/data/batches/stream_position.h"
#include "heed/data/batches/update_source.h"
#include "heed/data/corpus/batch.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// What a stream has for whoever waited for it.
enum class Waited { Update, End, Nothing };

class UpdateStream {
 public:
  /// The threads begin with the first update that is asked for.
  UpdateStream(std::unique_ptr<UpdateSource> source, const StreamOptions& options);
  /// Starts at the beginning of epoch 0. `tokenizers` are used for sampling only. Of each update's parts, only those of
  /// the share are made; a continuous text is not shared.
  UpdateStream(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers, const StreamOptions& options,
               uint64_t seed, const PartShare& share = {});
  ~UpdateStream();

  /// Waits until the next update is ready, the text has ended, or `gives_up` says so, which is asked now and then.
  /// Throws what next() does.
  Waited wait(const std::function<bool()>& gives_up);
  /// The next update; waits where it is not ready. Rethrows what making it threw. There must be one.
  Update next();
  /// What the update that next() gave was made of; it must have given one.
  const EncodedPairs& pairs() const;
  /// Of the update that next() will give.
  StreamPosition position() const;
  /// Continues at `position`. Throws Error when this corpus with these options has no such position.
  void seek(const StreamPosition& position);
  /// Continues at about the place of a stream of other options, whose positions are not this one's, where this share,
  /// in [0, 1], of the epoch had been given: UpdateSource::seek_about.
  void seek_about(const StreamPosition& position, double share);

  /// The share of the current epoch's pairs that next() has given, in [0, 1).
  double epoch_progress() const;
  /// Updates of an epoch: exact in a corpus of one window after the first update, else estimated.
  double updates_per_epoch() const;
  /// Seconds that next() has waited since construction.
  double waiting_seconds() const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace heed::data
