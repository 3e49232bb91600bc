#include "heed_torch/search/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/search/logits_beam.h"

namespace heed::search {
namespace {

constexpr float kExcluded = -std::numeric_limits<float>::infinity();

int32_t likeliest(std::span<const float> logits) {
  return static_cast<int32_t>(std::ranges::max_element(logits) - logits.begin());
}

}  // namespace

void Sampling::admit(std::span<const Prompt> prompts) {
  if (prompts.empty()) return;
  const c10::InferenceMode guard;
  std::vector<SourceSentence> sources;
  for (const Prompt& prompt : prompts) sources.push_back({prompt.index, prompt.source});
  const Tensor matrix = source_matrix(sources);
  if (texts_.empty()) {
    model_.start(matrix, /*beam=*/1, /*attention=*/false);
  } else {
    model_.join(matrix);
  }
  for (const Prompt& prompt : prompts) texts_.push_back({.prompt = prompt, .made = {}, .last = text::kBos});
}

std::vector<FinishedText> Sampling::advance() {
  check(!texts_.empty(), "advance needs a text under way");
  const c10::InferenceMode guard;
  std::vector<int64_t> tokens;
  for (const Text& text : texts_) tokens.push_back(text.last);
  const StepScores scores = model_.step(at::tensor(tokens, at::kLong).unsqueeze(1));
  const auto read = nn::download({scores.logits.to(at::kFloat), scores.logsumexp.to(at::kFloat)});
  const Tensor &logits = read[0], &sums = read[1];  // [S, 1, V], [S, 1, 1]
  const auto size = static_cast<size_t>(logits.size(2));
  std::vector<FinishedText> finished;
  std::vector<int64_t> going_on;
  for (size_t i = 0; i < texts_.size(); ++i) {
    const std::span row(logits.mutable_data_ptr<float>() + i * size, size);
    if (extend(texts_[i], row, static_cast<double>(sums.const_data_ptr<float>()[i]))) {
      going_on.push_back(static_cast<int64_t>(i));
    } else {
      finished.push_back({texts_[i].prompt.index, std::move(texts_[i].made)});
    }
  }
  if (!finished.empty()) keep(going_on);
  return finished;
}

int32_t Sampling::choose(Text& text, std::span<float> logits) {
  logits[text::kPad] = logits[text::kBos] = kExcluded;
  if (!options_.unknown) logits[text::kUnk] = kExcluded;
  const auto* draws = std::get_if<SampleOptions>(&options_.method);
  if (!draws) return likeliest(logits);
  return draw_token(drawable(logits, draws->draw), text.prompt.random());
}

/// Appends a token; returns whether the text continues.
bool Sampling::extend(Text& text, std::span<float> logits, double logsumexp) {
  const auto& prefix = text.prompt.prefix;
  if (text.read < std::ssize(prefix)) {
    text.last = prefix[static_cast<size_t>(text.read++)];
    return true;
  }
  if (!std::isfinite(logsumexp)) throw Error(kNotNumbers);
  text.last = choose(text, logits);
  const double log_probability = static_cast<double>(logits[static_cast<size_t>(text.last)]) - logsumexp;
  text.made.log_probability += log_probability;
  text.made.score = text.made.log_probability;
  text.made.token_log_probabilities.push_back(static_cast<float>(log_probability));
  if (text.last == text::kEos) return false;
  text.made.ids.push_back(text.last);
  const int64_t length = std::ssize(text.made.ids);
  text.made.complete = length < options_.max_length && length + std::ssize(prefix) <= model_.max_length();
  return text.made.complete;
}

void Sampling::keep(const std::vector<int64_t>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (const auto row = static_cast<size_t>(rows[i]); row != i) texts_[i] = std::move(texts_[row]);
  }
  texts_.erase(texts_.begin() + std::ssize(rows), texts_.end());
  if (rows.empty()) return;
  model_.select(at::tensor(rows, at::kLong), at::zeros({std::ssize(rows), 1}, at::kLong));
}

void sample_all(StepModel& model, const SamplingOptions& options, int64_t room, std::span<const Prompt> prompts,
                const std::function<void(FinishedText&&)>& done) {
  Sampling sampling(model, options);
  while (!prompts.empty() || sampling.running() > 0) {
    const auto free = static_cast<size_t>(room - sampling.running());
    const bool refill = 2 * std::min(free, prompts.size()) >= static_cast<size_t>(room) || free >= prompts.size();
    if (sampling.running() == 0 || refill) {
      const size_t count = std::min(free, prompts.size());
      sampling.admit(prompts.first(count));
      prompts = prompts.subspan(count);
    }
    for (FinishedText& finished : sampling.advance()) done(std::move(finished));
  }
}

}  // namespace heed::search
