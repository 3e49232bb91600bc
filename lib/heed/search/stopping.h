// Whether the search of a sentence goes on.
#pragma once

#include <cstdint>
#include <span>

#include "heed/search/running_sentence.h"

namespace heed::search {

/// The best score that an open hypothesis of `length` tokens may still reach, whatever follows: that of what it is
/// ranked by now, at the best length up to the limit. No token adds to that, and no coverage penalty to a score.
double best_possible_score(double ranked_by, int64_t length, int64_t limit, const SearchOptions& options);

/// Whether the search of a group is over, by its finished hypotheses, those of this step among them, and by the
/// candidates of this step.
bool group_is_done(const RunningSentence& sentence, int32_t group, std::span<const Candidate> candidates,
                   const SearchOptions& options);

}  // namespace heed::search
