#include "heed/search/logits/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed/nn/transfer.h"
#include "heed/search/logits/logits_beam.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

constexpr float kExcluded = -std::numeric_limits<float>::infinity();

/// Makes the probabilities sum to 1.
void normalize(std::vector<TokenProbability>& tokens) {
  double sum = 0;
  for (const TokenProbability& entry : tokens) sum += entry.probability;
  for (TokenProbability& entry : tokens) entry.probability /= sum;
}

bool likelier(const TokenProbability& a, const TokenProbability& b) {
  return a.probability != b.probability ? a.probability > b.probability : a.token < b.token;
}

/// The fewest of the tokens, likeliest first, whose probabilities reach `share`.
size_t nucleus(std::span<const TokenProbability> tokens, double share) {
  double sum = 0;
  size_t count = 0;
  while (count < tokens.size() && sum < share) sum += tokens[count++].probability;
  return count;
}

/// In (0, 1), 32 bits: a token's own number of this draw.
double uniform_of(uint64_t draw, uint32_t token) {
  const std::array key{static_cast<uint32_t>(draw), static_cast<uint32_t>(draw >> 32U)};
  const auto words = philox4x32({token / 4, 0, 0, 0}, key);
  return (words[token % 4] + 0.5) * 0x1p-32;
}

int32_t likeliest(std::span<const float> logits) {
  return static_cast<int32_t>(std::ranges::max_element(logits) - logits.begin());
}

}  // namespace

std::vector<TokenProbability> drawable(std::span<const float> logits, const SampleOptions& options) {
  const float best = *std::ranges::max_element(logits);
  std::vector<TokenProbability> tokens;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i])) throw Error(kNotNumbers);
    if (logits[i] == kExcluded) continue;
    const double relative = (static_cast<double>(logits[i]) - static_cast<double>(best)) / options.temperature;
    tokens.push_back({static_cast<int32_t>(i), std::exp(relative)});
  }
  if (tokens.empty()) throw Error("the model gives every token probability 0");
  const size_t most = options.top_k ? static_cast<size_t>(*options.top_k) : tokens.size();
  const bool cuts = most < tokens.size() || options.top_p < 1;
  if (cuts) {
    const auto kept = std::min(most, tokens.size());
    std::partial_sort(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(kept), tokens.end(), likelier);
    tokens.resize(kept);
  }
  normalize(tokens);
  if (options.top_p < 1) {
    tokens.resize(nucleus(tokens, options.top_p));
    normalize(tokens);
  }
  return tokens;
}

int32_t draw_token(std::span<const TokenProbability> distribution, uint64_t draw) {
  int32_t winner = distribution.front().token;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [token, probability] : distribution) {
    const double uniform = uniform_of(draw, static_cast<uint32_t>(token));
    if (1 - uniform >= least * probability) continue;  // -log u is no less than 1 - u
    const double time = -std::log(uniform) / probability;
    if (time >= least) continue;
    least = time;
    winner = token;
  }
  return winner;
}

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
  return draw_token(drawable(logits, *draws), text.prompt.random());
}

/// Appends a token; whether the text goes on.
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
