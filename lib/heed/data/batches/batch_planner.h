// Plans the steps one after the other, from any position: which pairs each step has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heed/data/batches/batch_growth.h"
#include "heed/data/batches/mixture.h"
#include "heed/data/batches/stream_position.h"
#include "heed/data/batches/window_plan.h"
#include "heed/data/corpus/data_options.h"
#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// A step before its batches are made: its pairs, and the window and the plan that list them.
struct PlannedBatch {
  std::shared_ptr<const EncodedPairs> pairs;
  std::shared_ptr<const WindowPlan> plan;  ///< null for a continuous text
  Window window;
  StreamPosition position;
  StreamPosition next;        ///< the position after it
  double progress_after = 0;  ///< share of the epoch's pairs up to the end of this step; 0 after the last step of
                              ///< an epoch
  double steps_per_epoch = 0;
};

class BatchPlanner {
 public:
  BatchPlanner(std::shared_ptr<const EncodedCorpus> corpus, const SentenceContext& options, uint64_t seed);

  PlannedBatch next();
  /// Throws Error if the position does not exist.
  void seek(const StreamPosition& position);
  /// Moves to the first step that has at least this share of the epoch's pairs before it. If there is none, moves to
  /// the next epoch.
  void seek_share(int64_t epoch, double share);
  const StreamPosition& position() const { return position_; }
  /// Share of the epoch's pairs before the current position.
  double progress() const;

 private:
  void enter(int64_t epoch, int64_t window);
  void advance();
  void pass();
  /// Moves to the first window from `window` on that has a pair.
  void enter_from(int64_t epoch, int64_t window);
  double share_of(int64_t step) const;

  std::shared_ptr<const EncodedCorpus> corpus_;
  SentenceContext options_;
  Mixture mixture_;
  Curriculum curriculum_;
  uint64_t seed_;
  StreamPosition position_;
  std::vector<Window> windows_;             // windows of the epoch
  std::shared_ptr<const WindowPlan> plan_;  // plan of the current window
  double pairs_before_ = 0;                 // pairs of the corpus before the position, in this epoch; with a mixture
                                            // or a curriculum each step counts as its share of the window's pairs
};

}  // namespace heed::data
