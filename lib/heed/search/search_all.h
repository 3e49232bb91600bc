// Searches any number of sentences within the room of one batch: finished sentences leave it, and waiting ones take
// their place.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "heed/search/beam_search.h"

namespace heed::search {

/// The room for sentences under way at once.
struct Room {
  int64_t sentences = 64;
  int64_t tokens = 2048;  ///< source tokens with padding and end-of-sentence; a longer sentence still goes alone
  double refill = 0.5;    ///< waiting sentences enter when this share of the room is free; 1: when all of it is
};

/// Calls `done` for each source as soon as it is translated, in an order of its own. The sources enter in the order
/// given: the best has neighbors of like length.
void search_all(BeamModel& model, const SearchOptions& options, Keep keep, const Room& room,
                std::span<const SourceSentence> sources, const std::function<void(FinishedSentence&&)>& done);

}  // namespace heed::search
