// Samples texts from a model token by token, each after a given beginning (the prompt). Every text has its own random
// stream, so other texts do not influence it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/core/random.h"
#include "heed/search/drawing.h"
#include "heed/search/hypothesis.h"
#include "heed/search/sampling_options.h"
#include "heed_torch/search/step_model.h"

namespace heed::search {

/// A text to generate.
struct Prompt {
  int64_t index = 0;                     ///< the caller's number for it
  std::span<const int32_t> source = {};  ///< the source to translate, without end-of-sentence; empty for a language
                                         ///< model
  std::span<const int32_t> prefix = {};  ///< the tokens that the text begins with
  RandomStream random{0};                ///< one random number for each sampled token
};

/// hypothesis: the tokens after the prefix, and their log-probability under the model, even if another distribution was
/// sampled from. End-of-sentence counts unless the text was truncated.
struct FinishedText {
  int64_t index = 0;
  Hypothesis hypothesis;
};

class Sampling {
 public:
  /// The model must outlive it.
  Sampling(StepModel& model, const SamplingOptions& options) : model_(model), options_(options) {}

  /// Adds these texts after the running ones.
  void admit(std::span<const Prompt> prompts);
  /// Generates one more token of every text; returns the texts that are now finished.
  std::vector<FinishedText> advance();
  /// The number of unfinished texts.
  int64_t running() const { return static_cast<int64_t>(texts_.size()); }

 private:
  struct Text {
    Prompt prompt;
    Hypothesis made;
    int64_t read = 0;  // number of prefix tokens that the model has read
    int32_t last;      // the next token to feed
  };
  int32_t choose(Text& text, std::span<float> logits);
  bool extend(Text& text, std::span<float> logits, double logsumexp);
  void keep(const std::vector<int64_t>& rows);

  StepModel& model_;
  SamplingOptions options_;
  std::vector<Text> texts_;
};

/// Generates a text for each prompt, at most `room` at once. Calls `done` as soon as a text is finished.
void sample_all(StepModel& model, const SamplingOptions& options, int64_t room, std::span<const Prompt> prompts,
                const std::function<void(FinishedText&&)>& done);

}  // namespace heed::search
