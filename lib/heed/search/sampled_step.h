// A sampling step: one candidate for each sample. Each sample is a group of one hypothesis (search_options.h,
// as_groups), so all other steps are those of beam search.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/next_tokens.h"
#include "heed/search/sentence_beam.h"

namespace heed::search {

class SampledStep {
 public:
  /// All arguments must outlive it. ends: of each sentence. Throws ConfigError unless the method is sampling.
  SampledStep(std::span<SentenceBeam> sentences, std::span<const End> ends, const StepRules& rules,
              const SearchOptions& options);

  /// Called by the model for each live hypothesis. The random number depends only on the sentence's key, the sample's
  /// number and the number of tokens before it, without the prompt. Excluded tokens are never sampled, and repeated
  /// ones get the repetition penalty. If the end is forced, end-of-sentence is the result whatever is sampled. A sample
  /// that no token may follow gets no candidate. Throws Error if log-probabilities are not numbers.
  void take(size_t hypothesis, std::span<float> log_probabilities);

  /// The candidates of each sentence, ordered by sample.
  std::vector<std::vector<Candidate>> candidates();

 private:
  void exclude(size_t hypothesis, std::span<float> log_probabilities) const;
  void draw(SentenceBeam& sentence, size_t parent, int32_t sample, std::span<const float> weights,
            std::span<const float> log_probabilities, End end);

  std::span<SentenceBeam> sentences_;
  std::span<const End> ends_;
  const StepRules& rules_;
  const SearchOptions& options_;
  const SampleMethod& method_;
  std::vector<std::vector<Candidate>> candidates_;
};

}  // namespace heed::search
