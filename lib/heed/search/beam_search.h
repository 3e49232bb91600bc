// Beam search over the sentences that are in it. Sentences enter by admit, also while others are under way, and leave
// when they are done; see beam_steps.h for the rules. With beam 1 it is greedy search.
#pragma once

#include <span>
#include <vector>

#include "heed/search/running_sentence.h"
#include "heed/search/step_model.h"

namespace heed::search {

/// A sentence that waits for its translation.
struct SourceSentence {
  int64_t index = 0;             ///< the caller's name of it
  std::span<const int32_t> ids;  ///< without end-of-sentence
};

struct FinishedSentence {
  int64_t index = 0;
  std::vector<Hypothesis> hypotheses;  ///< best first, at least 1 and at most n_best
};

class BeamSearch {
 public:
  /// The model must outlive the search. Throws ConfigError when the options do not fit together.
  BeamSearch(StepModel& model, const SearchOptions& options, Keep keep = {});

  /// These sentences enter behind those under way.
  void admit(std::span<const SourceSentence> sources);
  /// Takes every sentence one token further; returns those that are now done.
  std::vector<FinishedSentence> advance();
  /// Sentences under way.
  int64_t running() const { return static_cast<int64_t>(sentences_.size()); }

 private:
  std::vector<FinishedSentence> take_finished(const std::vector<bool>& going_on);

  StepModel& model_;
  SearchOptions options_;
  Keep keep_;
  std::vector<RunningSentence> sentences_;
  Tensor tokens_;  // int64 [S, beam], the last token of every hypothesis
};

/// A padded source matrix: int64 [sentences, longest + 1], each row ids, eos, padding.
Tensor source_matrix(std::span<const SourceSentence> sources);

}  // namespace heed::search
