// The steps of beam search after the model's own, one function each. Beam search is fairseq's: the 2 * beam best
// continuations of a sentence are its candidates; an end-of-sentence candidate is finished only if it ranks among the
// first `beam`; the next beam is the first `beam` candidates that are not end-of-sentence; a sentence is done when
// `beam` hypotheses have finished, or at its limit, where end-of-sentence is forced. Every decision is made sentence by
// sentence, so that no sentence's result depends on its neighbors.
#pragma once

#include <span>
#include <vector>

#include "heed/search/running_sentence.h"
#include "heed/search/step_model.h"

namespace heed::search {

/// Sets the logits of tokens that must not come to -inf, in place: padding and begin-of-sentence always, the unknown
/// token unless allowed, end-of-sentence below the least length, everything else at the limit.
/// logits: float [S, beam, V]. The probabilities of what remains are the model's, not renormalized. Returns which
/// hypotheses would have ended by themselves where the limit ends them, bool [S, beam] on the model's device; undefined
/// if no sentence is at its limit.
Tensor adjust_scores(const Tensor& logits, std::span<const RunningSentence> sentences, const SearchOptions& options);

/// What the host reads of a step, on the CPU.
struct HostScores {
  Tensor log_probabilities;  ///< float [S, beam, count]: of the best continuations of each hypothesis, best first
  Tensor tokens;             ///< int64 [S, beam, count]
  Tensor ends;               ///< bool [S, beam]: what adjust_scores returned
  Tensor attention;          ///< float [S, beam, source], if asked for
};
/// Waits for the model's device, once. scores: after adjust_scores, which returned `ends`.
HostScores read_scores(const StepScores& scores, const Tensor& ends = {}, bool attention = false);

/// Notes of the sentences at their limit which hypotheses would have ended by themselves and are as long as they must
/// be.
void note_ends(const HostScores& scores, std::span<RunningSentence> sentences, int64_t min_length);

/// The at most 2 * beam best continuations of each sentence, best first; equals in order of parent, then token.
/// Throws Error when a score is not a number.
std::vector<std::vector<Candidate>> pick_candidates(const HostScores& scores,
                                                    std::span<const RunningSentence> sentences);

/// Appends a step's attention to its sentences.
void keep_attention(const HostScores& scores, std::span<RunningSentence> sentences);

/// Moves end-of-sentence candidates among the first `beam` to the sentence's finished hypotheses. Returns which
/// sentences go on.
std::vector<bool> retire_finished(std::span<RunningSentence> sentences,
                                  std::span<const std::vector<Candidate>> candidates, const SearchOptions& options,
                                  Keep keep);

/// The finished hypotheses of a sentence, best score first, at most `n_best`.
std::vector<Hypothesis> ranked(std::vector<Hypothesis> finished, int64_t n_best);

/// Drops the sentences that do not go on, extends the others by their candidates and tells the model.
/// Returns the tokens to feed next: int64 [S', beam].
Tensor reorder(StepModel& model, std::vector<RunningSentence>& sentences,
               std::span<const std::vector<Candidate>> candidates, const std::vector<bool>& going_on);

}  // namespace heed::search
