// The candidates of a step of beam search: the best continuations of a sentence's hypotheses.
//
// Diverse beam search (Vijayakumar et al. 2018, https://arxiv.org/abs/1610.02424) divides the beam into groups, which
// choose one after the other. A token loses `diversity` for each hypothesis of an earlier group that has taken it in
// this step (Hamming diversity). This penalty affects only the choice; it is not part of any score.
//
// With required phrases, the candidates of a group are sorted into banks by the number of phrase tokens they have. The
// first of every bank precedes the second of any bank, and the fullest bank comes first. This is dynamic beam
// allocation (Post and Vilar 2018, https://arxiv.org/abs/1804.06609; Hu et al. 2019, section 3.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/next_tokens.h"
#include "heed/search/sentence_beam.h"

namespace heed::search {

/// The number of tokens a step must find per hypothesis, so that the best candidates are among them.
int64_t continuations_needed(const SearchOptions& options, int64_t vocab_size);

/// For each sentence, group by group: at most 2 * group size best continuations, best first. Ties are ordered by
/// parent, then token. Throws Error if a score is not a number.
std::vector<std::vector<Candidate>> pick_candidates(const Continuations& found, std::span<const SentenceBeam> sentences,
                                                    const StepRules& rules, const SearchOptions& options);

/// Orders the candidates of one group, which come best first, by banks. banks: the bank of each candidate.
std::vector<Candidate> in_banks(std::span<const Candidate> candidates, std::span<const int64_t> banks);

}  // namespace heed::search
