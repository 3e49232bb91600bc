// From the scores of a step to what the search asked for: its best tokens, in one copy from the model's device.
#pragma once

#include <cstdint>
#include <span>

#include <ATen/core/Tensor.h>

#include "heed/search/beam_model.h"
#include "heed_torch/search/step_scores.h"

namespace heed::search {

/// Answers the request of a step. It may write into scores.logits. attention: whether to read the attention too. Waits
/// once for the model's device.
void find_tokens(const StepScores& scores, const StepRequest& request, bool attention, Continuations& found);

/// The best tokens of each row of logits, best first.
struct RowBest {
  Tensor logits;  ///< float [rows, count]; -inf if a row has fewer allowed tokens
  Tensor tokens;  ///< int64 [rows, count]
};
/// logits: float [rows, V]; count at most V. On the CPU, for count up to 128, equal logits are in the order of their
/// tokens; otherwise their order is torch.topk's.
RowBest best_of_rows(const Tensor& logits, int64_t count);

/// Sets the logits of forbidden tokens to -inf, in place. logits: float [S, beam, V]. For hypotheses whose end is
/// forced, returns whether end-of-sentence is the most probable allowed token: bool [S, beam] on the logits' device;
/// undefined if no end is forced.
Tensor bar_tokens(const Tensor& logits, std::span<const End> ends, bool unknown);
/// Sets the logits of the given tokens of each hypothesis to -inf, in place.
void bar_lists(const Tensor& logits, const TokenLists& barred);
/// The log-probabilities of the given tokens of each hypothesis: float [tokens of all], on the logits' device.
Tensor asked_log_probabilities(const StepScores& scores, const TokenLists& asked);

}  // namespace heed::search
