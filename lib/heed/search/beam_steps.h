// The steps of beam search beside the model's own, one function each. Beam search is fairseq's: the 2 * beam best
// continuations of a sentence are its candidates; an end-of-sentence candidate is finished only if it ranks among the
// first `beam`; the next beam is the first `beam` candidates that are not end-of-sentence; a sentence is done when
// `beam` hypotheses have finished (see stopping.h), or at its limit, where end-of-sentence is forced. Groups of a beam
// (see candidates.h) do the same each for itself. Every decision is made sentence by sentence, so that no sentence's
// result depends on its neighbors.
#pragma once

#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/running_sentence.h"

namespace heed::search {

/// Whether each sentence may end: not below the least length, and at its limit in any case.
std::vector<End> ends_of(std::span<const RunningSentence> sentences, const SearchOptions& options);

/// The hypotheses of each sentence: one before its first step, then as many as the beam has room for and there are.
std::vector<int64_t> live_of(std::span<const RunningSentence> sentences);

/// Notes which hypotheses at the limit would have ended by themselves, and are as long as they must be.
void note_ends(const Continuations& found, std::span<const End> ends, const SearchOptions& options,
               std::span<RunningSentence> sentences);

/// Appends each step's attention to its sentence.
void keep_attention(const Continuations& found, std::span<RunningSentence> sentences);

/// Moves end-of-sentence candidates among the first of each group, as many as it has hypotheses, to the sentence's
/// finished ones. Takes the candidates of groups that are done away. When the rules leave a group no token to continue
/// with and it has finished nothing, its best hypothesis ends as it is. Returns which sentences continue.
std::vector<bool> retire_finished(std::span<RunningSentence> sentences, std::span<std::vector<Candidate>> candidates,
                                  const SearchOptions& options, Keep keep);

/// The finished hypotheses of a sentence, best score first, at most `n_best`.
std::vector<Hypothesis> ranked(std::vector<Hypothesis> finished, int64_t n_best);

/// Drops the sentences that do not go on, extends the others by their candidates and tells the model.
/// Returns the tokens to feed next: [S' * beam].
std::vector<int32_t> reorder(BeamModel& model, std::vector<RunningSentence>& sentences,
                             std::span<const std::vector<Candidate>> candidates, const std::vector<bool>& going_on,
                             const SearchOptions& options);

}  // namespace heed::search
