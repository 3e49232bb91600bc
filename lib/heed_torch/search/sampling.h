// Samples texts from a model token by token, each after a given beginning (the prompt). Every text has a random stream
// of its own, so that it does not depend on its neighbors.
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

/// A text to be made.
struct Prompt {
  int64_t index = 0;                     ///< the caller's name of it
  std::span<const int32_t> source = {};  ///< what it translates, without end-of-sentence; empty for a language model
  std::span<const int32_t> prefix = {};  ///< the tokens that it begins with
  RandomStream random{0};                ///< one number for each token drawn
};

/// hypothesis: the tokens behind the prefix, and their log-probability under the model itself, whatever they were drawn
/// from; end-of-sentence counts unless the text was cut off.
struct FinishedText {
  int64_t index = 0;
  Hypothesis hypothesis;
};

class Sampling {
 public:
  /// The model must outlive it.
  Sampling(StepModel& model, const SamplingOptions& options) : model_(model), options_(options) {}

  /// These texts enter behind those under way.
  void admit(std::span<const Prompt> prompts);
  /// Takes every text one token further; returns those that are now done.
  std::vector<FinishedText> advance();
  /// Texts under way.
  int64_t running() const { return static_cast<int64_t>(texts_.size()); }

 private:
  struct Text {
    Prompt prompt;
    Hypothesis made;
    int64_t read = 0;  // tokens of the prefix fed to the model
    int32_t last;      // the next token to feed
  };
  int32_t choose(Text& text, std::span<float> logits);
  bool extend(Text& text, std::span<float> logits, double logsumexp);
  void keep(const std::vector<int64_t>& rows);

  StepModel& model_;
  SamplingOptions options_;
  std::vector<Text> texts_;
};

/// Calls `done` for each prompt as soon as its text is made, at most `room` under way at once.
void sample_all(StepModel& model, const SamplingOptions& options, int64_t room, std::span<const Prompt> prompts,
                const std::function<void(FinishedText&&)>& done);

}  // namespace heed::search
