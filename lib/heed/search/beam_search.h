// Beam search over a batch of sentences. admit() adds sentences, also while others are running; finished ones leave.
// beam_steps.h has the rules. With beam size 1 it is greedy search.
#pragma once

#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/next_tokens.h"
#include "heed/search/sentence_beam.h"

namespace heed::search {

struct FinishedSentence {
  int64_t index = 0;
  std::vector<Hypothesis> hypotheses;  ///< best first, at least 1 and at most n_best
};

class BeamSearch {
 public:
  /// The model must outlive the search. Throws ConfigError if the options contradict each other.
  BeamSearch(BeamModel& model, const SearchOptions& options, ReturnOptions keep = {});

  /// Adds these sentences after the running ones.
  void admit(std::span<const SourceSentence> sources);
  /// Extends every sentence by one token; returns the sentences that are now finished.
  std::vector<FinishedSentence> advance();
  /// The number of running sentences.
  int64_t running() const { return static_cast<int64_t>(sentences_.size()); }

 private:
  bool needs_attention() const { return keep_.attention || keep_.places || options_.coverage_penalty != 0; }
  std::vector<std::vector<Candidate>> best_candidates(std::span<const End> ends, const StepRules& rules);
  std::vector<std::vector<Candidate>> draw_candidates(std::span<const End> ends, const StepRules& rules);
  void step(const StepRequest& request);
  std::vector<FinishedSentence> take_finished(const std::vector<bool>& going_on);

  BeamModel& model_;
  SearchOptions options_;
  ReturnOptions keep_;
  std::vector<SentenceBeam> sentences_;
  std::vector<int32_t> tokens_;  // [S * beam], the last token of each hypothesis
  Continuations found_;          // of the last step
};

}  // namespace heed::search
