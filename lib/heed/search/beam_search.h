// Beam search over the sentences that are in it. Sentences enter by admit, also while others are under way, and leave
// when they are done; see beam_steps.h for the rules. With beam 1 it is greedy search.
#pragma once

#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/next_tokens.h"
#include "heed/search/running_sentence.h"

namespace heed::search {

struct FinishedSentence {
  int64_t index = 0;
  std::vector<Hypothesis> hypotheses;  ///< best first, at least 1 and at most n_best
};

class BeamSearch {
 public:
  /// The model must outlive the search. Throws ConfigError when the options do not fit together.
  BeamSearch(BeamModel& model, const SearchOptions& options, Keep keep = {});

  /// These sentences enter behind those under way.
  void admit(std::span<const SourceSentence> sources);
  /// Takes every sentence one token further; returns those that are now done.
  std::vector<FinishedSentence> advance();
  /// Sentences under way.
  int64_t running() const { return static_cast<int64_t>(sentences_.size()); }

 private:
  bool needs_attention() const { return keep_.attention || keep_.places || options_.coverage_penalty != 0; }
  std::vector<std::vector<Candidate>> best_candidates(std::span<const End> ends, const StepRules& rules);
  std::vector<std::vector<Candidate>> draw_candidates(std::span<const End> ends, const StepRules& rules);
  void step(const StepRequest& request);
  std::vector<FinishedSentence> take_finished(const std::vector<bool>& going_on);

  BeamModel& model_;
  SearchOptions options_;
  Keep keep_;
  std::vector<RunningSentence> sentences_;
  std::vector<int32_t> tokens_;  // [S * beam], the last token of every hypothesis
  Continuations found_;          // of the last step
};

}  // namespace heed::search
