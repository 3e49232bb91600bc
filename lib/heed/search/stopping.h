// Decides when the search of a sentence ends.
#pragma once

#include <cstdint>
#include <span>

#include "heed/search/sentence_beam.h"

namespace heed::search {

/// The best score that an open hypothesis of `length` tokens can still reach: the score of `ranked_by` at the best
/// length up to the limit. Further tokens can only lower `ranked_by`, and the coverage penalty can only lower a score.
double best_possible_score(double ranked_by, int64_t length, int64_t limit, const SearchOptions& options);

/// Whether the search of a group is over. It depends on its finished hypotheses, including those of this step, and on
/// the candidates of this step.
bool group_is_done(const SentenceBeam& sentence, int32_t group, std::span<const Candidate> candidates,
                   const SearchOptions& options);

}  // namespace heed::search
