// Searches any number of sentences in one batch of fixed size. Waiting sentences take the place of finished ones
// (continuous batching).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "heed/search/beam_search.h"

namespace heed::search {

/// The size of the batch.
struct Room {
  int64_t sentences = 64;
  int64_t tokens = 2048;  ///< source tokens with padding and end-of-sentence; a longer sentence runs in a batch of its
                          ///< own
  double refill = 0.5;    ///< continuous batching: waiting sentences enter when this share of the batch is free; 1:
                          ///< when all of it is
};

/// Calls `done` for each source as soon as it is translated, in any order. Sources enter in the given order; it is
/// fastest if neighbors have similar lengths.
void search_continuously(BeamModel& model, const SearchOptions& options, ReturnOptions keep, const Room& room,
                         std::span<const SourceSentence> sources, const std::function<void(FinishedSentence&&)>& done);

}  // namespace heed::search
