// Adapts a StepModel, which scores every token of the vocabulary, to beam search.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed_torch/search/step_model.h"

namespace heed::search {

class LogitsBeam : public BeamModel {
 public:
  /// The model must outlive it.
  explicit LogitsBeam(StepModel& model) : model_(model) {}
  explicit LogitsBeam(std::unique_ptr<StepModel> model) : owned_(std::move(model)), model_(*owned_) {}

  int64_t vocab_size() const override { return model_.vocab_size(); }
  int64_t max_length() const override { return model_.max_length(); }
  void start(std::span<const SourceSentence> sources, int64_t beam, bool attention) override;
  void step(const StepRequest& request, Continuations& found) override;
  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) override;
  void join(std::span<const SourceSentence> sources) override;

 private:
  std::unique_ptr<StepModel> owned_;  // null if not owned
  StepModel& model_;
  int64_t beam_ = 1;
  bool attention_ = false;
};

/// Sets the logits of forbidden tokens to -inf, in place. logits: float [S, beam, V]. For hypotheses whose end is
/// forced, returns whether end-of-sentence is the most probable allowed token: bool [S, beam] on the logits' device;
/// undefined if no end is forced.
Tensor bar_tokens(const Tensor& logits, std::span<const End> ends, bool unknown);

/// The log-probabilities of the given tokens of each hypothesis: float [tokens of all], on the logits' device.
Tensor asked_log_probabilities(const StepScores& scores, const TokenLists& asked);
/// Sets the logits of the given tokens of each hypothesis to -inf, in place.
void bar_lists(const Tensor& logits, const TokenLists& barred);

/// Reads the best `count` tokens of each hypothesis, the results of bar_tokens and of asked_log_probabilities
/// (undefined: none), and the attention if requested. Waits once for the model's device.
void read_step(const StepScores& scores, const Tensor& ends_by_itself, const Tensor& asked, int64_t count,
               bool attention, Continuations& found);

/// Passes all log-probabilities of each live hypothesis to the request, and reads the attention if requested.
void give_rows(const StepScores& scores, const StepRequest& request, bool attention, Continuations& found);

}  // namespace heed::search
