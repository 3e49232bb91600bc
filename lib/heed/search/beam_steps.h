// The steps of beam search outside the model, one function each. The rules are fairseq's:
// - The candidates of a sentence are its 2 * beam best continuations.
// - An end-of-sentence candidate finishes its hypothesis only if it is among the first `beam` candidates.
// - The next beam is the first `beam` candidates that are not end-of-sentence.
// - A sentence is done when `beam` hypotheses have finished (see stopping.h), or at its length limit, where
//   end-of-sentence is forced.
// The groups of diverse beam search (see candidates.h) each follow these rules separately. Each sentence is decided
// separately, so its result does not depend on the rest of the batch.
#pragma once

#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/sentence_beam.h"

namespace heed::search {

/// Whether each sentence may end: not below the minimum length; always at the length limit.
std::vector<End> ends_of(std::span<const SentenceBeam> sentences, const SearchOptions& options);

/// The number of hypotheses of each sentence: one before its first step, then at most the beam size.
std::vector<int64_t> live_of(std::span<const SentenceBeam> sentences);

/// Records which hypotheses at the length limit would have ended without it and have the minimum length.
void note_ends(const Continuations& found, std::span<const End> ends, const SearchOptions& options,
               std::span<SentenceBeam> sentences);

/// Appends each step's attention to its sentence.
void keep_attention(const Continuations& found, std::span<SentenceBeam> sentences);

/// Moves each group's end-of-sentence candidates to the finished hypotheses, if they rank within the group size.
/// Removes the candidates of groups that are done. If a group has no candidate left and nothing finished, its best
/// hypothesis ends as it is. Returns which sentences continue.
std::vector<bool> collect_finished(std::span<SentenceBeam> sentences, std::span<std::vector<Candidate>> candidates,
                                   const SearchOptions& options, ReturnOptions keep);

/// The finished hypotheses of a sentence, best score first, at most `n_best`.
std::vector<Hypothesis> ranked(std::vector<Hypothesis> finished, int64_t n_best);

/// Drops the sentences that do not continue, extends the others by their candidates and reorders the model's state.
/// Returns the tokens to feed next: [S' * beam].
std::vector<int32_t> reorder(BeamModel& model, std::vector<SentenceBeam>& sentences,
                             std::span<const std::vector<Candidate>> candidates, const std::vector<bool>& going_on,
                             const SearchOptions& options);

}  // namespace heed::search
