// Where a stream takes its updates from: a corpus's sentence pairs in length bands, those of text that is read once, or
// a continuous text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "heed/data/batches/update_planner.h"
#include "heed/data/corpus/batch.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

class UpdateSource {
 public:
  virtual ~UpdateSource() = default;
  /// The update after the one before; epochs of a corpus follow each other without end, text that is read once ends
  /// with nothing. It may wait for lines.
  virtual std::optional<PlannedUpdate> next() = 0;
  /// Makes a next() that waits for lines throw; there may be none after it. May be called beside next().
  virtual void give_up() {}
  /// May be called from several threads at once, also beside next().
  virtual Update make(const PlannedUpdate& planned) const = 0;
  /// Throws Error when there is no such position.
  virtual void seek(const StreamPosition& position) = 0;
  /// To about where a source of other options stood: to the first update before which at least this share, in [0, 1],
  /// of the position's epoch stands; else to the next epoch. Text that is read once has no share: it goes to the first
  /// update of the position's buffer before which as many pairs were given.
  virtual void seek_about(const StreamPosition& position, double share) = 0;
  /// Of the update that is next.
  virtual const StreamPosition& position() const = 0;
  /// Share of the epoch before the present position.
  virtual double progress() const = 0;
  /// An estimate, before the first update is planned.
  virtual double updates_per_epoch() const = 0;
};

/// `tokenizers` are used for sampling only; a continuous text is not sampled, and is not shared.
std::unique_ptr<UpdateSource> make_update_source(std::shared_ptr<const EncodedCorpus> corpus,
                                                 text::Tokenizers tokenizers, const StreamOptions& options,
                                                 const PartShare& share, uint64_t seed);

}  // namespace heed::data
