// Plans the updates one after the other: which pairs each has, from any position on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heed/data/batches/mixture.h"
#include "heed/data/batches/stream_position.h"
#include "heed/data/batches/window_plan.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// One update before it is made: its pairs, in the window and the plan that they share.
struct PlannedUpdate {
  std::shared_ptr<const EncodedPairs> pairs;
  std::shared_ptr<const WindowPlan> plan;  ///< null in a continuous text
  Window window;
  StreamPosition position;
  StreamPosition next;        ///< the position after it
  double progress_after = 0;  ///< share of the epoch's pairs given once it is; 0 where it ends the epoch
  double updates_per_epoch = 0;
};

class UpdatePlanner {
 public:
  UpdatePlanner(std::shared_ptr<const EncodedCorpus> corpus, const SentenceContext& options, uint64_t seed);

  PlannedUpdate next();
  /// Throws Error when there is no such position.
  void seek(const StreamPosition& position);
  /// To the first update of the epoch before which at least this share of its pairs stand, else to the next epoch.
  void seek_share(int64_t epoch, double share);
  const StreamPosition& position() const { return position_; }
  /// Share of the epoch's pairs before the present position.
  double progress() const;

 private:
  void enter(int64_t epoch, int64_t window);
  void advance();
  void pass();
  /// To the first window from `window` on that has a pair.
  void enter_from(int64_t epoch, int64_t window);
  double share_of(int64_t update) const;

  std::shared_ptr<const EncodedCorpus> corpus_;
  SentenceContext options_;
  Mixture mixture_;
  uint64_t seed_;
  StreamPosition position_;
  std::vector<Window> windows_;             // of the epoch
  std::shared_ptr<const WindowPlan> plan_;  // of the window
  double pairs_before_ = 0;                 // of the corpus, in the epoch; with a mixture those of a window count
                                            // as its updates come
};

}  // namespace heed::data
