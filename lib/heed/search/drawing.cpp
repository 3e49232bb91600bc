#include "heed/search/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/search/beam_model.h"

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

/// The number of tokens, most probable first, whose probabilities together reach `share`.
size_t nucleus(std::span<const TokenProbability> tokens, double share) {
  double sum = 0;
  size_t count = 0;
  while (count < tokens.size() && sum < share) sum += tokens[count++].probability;
  return count;
}

/// A number in (0, 1) of 32 random bits, one for each pair of draw and token.
double uniform_of(uint64_t draw, uint32_t token) {
  const std::array key{static_cast<uint32_t>(draw), static_cast<uint32_t>(draw >> 32U)};
  const auto words = philox4x32({token / 4, 0, 0, 0}, key);
  return (words[token % 4] + 0.5) * 0x1p-32;
}

}  // namespace

std::vector<TokenProbability> drawable(std::span<const float> logits, const DrawOptions& options) {
  const float best = *std::ranges::max_element(logits);
  std::vector<TokenProbability> tokens;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i])) throw Error(kNotNumbers);
    if (logits[i] == kExcluded) continue;
    const double relative = (static_cast<double>(logits[i]) - static_cast<double>(best)) / options.temperature;
    tokens.push_back({static_cast<int32_t>(i), std::exp(relative)});
  }
  if (tokens.empty()) throw Error("the model gives every token probability 0");
  if (options.epsilon > 0) {
    normalize(tokens);
    const double most = std::ranges::max(tokens, {}, &TokenProbability::probability).probability;
    std::erase_if(tokens, [&](const TokenProbability& entry) {
      return entry.probability < options.epsilon && entry.probability < most;
    });
  }
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
    if (1 - uniform >= least * probability) continue;  // -log u is at least 1 - u
    const double time = -std::log(uniform) / probability;
    if (time >= least) continue;
    least = time;
    winner = token;
  }
  return winner;
}

}  // namespace heed::search
