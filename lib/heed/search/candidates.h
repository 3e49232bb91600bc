// The candidates of a step of beam search: the best continuations of a sentence's hypotheses.
//
// Diverse beam search (Vijayakumar et al. 2018, https://arxiv.org/abs/1610.02424) divides the beam into groups, which
// choose one after the other. As a group sees it, a token loses `diversity` for each hypothesis of an earlier group
// that has taken it in this step (Hamming diversity). That loss decides what is chosen and is not part of any score.
//
// Where phrases are required, the candidates of a group come in banks: those that have as many tokens of the phrases.
// The first of every bank goes before the second of any, the fullest bank first (dynamic beam allocation: Post and
// Vilar 2018, https://arxiv.org/abs/1804.06609; Hu et al. 2019, section 3.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/next_tokens.h"
#include "heed/search/running_sentence.h"

namespace heed::search {

/// The tokens that a step has to find for each hypothesis, so that the best candidates are among them.
int64_t continuations_needed(const SearchOptions& options, int64_t vocab_size);

/// Of each sentence, group by group: the at most 2 * group size best continuations, best first; equals in order of
/// parent, then token. Throws Error when a score is not a number.
std::vector<std::vector<Candidate>> pick_candidates(const Continuations& found,
                                                    std::span<const RunningSentence> sentences, const StepRules& rules,
                                                    const SearchOptions& options);

/// Orders candidates of one group, best first, by banks. banks: of each candidate.
std::vector<Candidate> in_banks(std::span<const Candidate> candidates, std::span<const int64_t> banks);

}  // namespace heed::search
