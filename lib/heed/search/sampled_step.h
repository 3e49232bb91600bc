// A step of sampling: one candidate for each sample, drawn from what the model says. A sample is a group of one
// hypothesis (search_options.h, as_groups), so that all other steps are those of beam search.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/next_tokens.h"
#include "heed/search/running_sentence.h"

namespace heed::search {

class SampledStep {
 public:
  /// All must outlive it. ends: of each sentence. Throws ConfigError unless the method is sampling.
  SampledStep(std::span<RunningSentence> sentences, std::span<const End> ends, const StepRules& rules,
              const SearchOptions& options);

  /// What a model calls for each live hypothesis. A sample's draw follows from the sentence's key, the sample's number
  /// and the number of tokens before it. Tokens that are barred are left out, repeated ones punished; where the end is
  /// forced, it comes whatever is drawn. A sample that no token may follow gets no candidate. Throws Error where
  /// log-probabilities are no numbers.
  void take(size_t hypothesis, std::span<float> log_probabilities);

  /// Those of each sentence, by sample.
  std::vector<std::vector<Candidate>> candidates();

 private:
  void exclude(size_t hypothesis, std::span<float> log_probabilities) const;
  void draw(RunningSentence& sentence, size_t parent, int32_t sample, std::span<const float> weights,
            std::span<const float> log_probabilities, End end);

  std::span<RunningSentence> sentences_;
  std::span<const End> ends_;
  const StepRules& rules_;
  const SearchOptions& options_;
  const SampleMethod& method_;
  std::vector<std::vector<Candidate>> candidates_;
};

}  // namespace heed::search
