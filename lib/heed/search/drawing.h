// Sampling a token from a model's distribution over the next token.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/core/options.h"

namespace heed::search {

/// The filters of sampling, in order. Probabilities are p(v)^(1/temperature), normalized.
/// 1. Epsilon sampling keeps the most probable token and tokens of at least `epsilon` (Hewitt et al. 2022,
///    https://arxiv.org/abs/2210.15191).
/// 2. Top-k keeps the k most probable tokens, whose probabilities are normalized again.
/// 3. Top-p keeps the fewest most probable tokens that together reach p (Holtzman et al. 2020,
///    https://arxiv.org/abs/1904.09751, equation 3).
struct DrawOptions {
  double temperature = 1;             ///< below 1 prefers likely tokens; above 0
  std::optional<int64_t> top_k = {};  ///< absent: all
  double top_p = 1;                   ///< in (0, 1]; 1: all
  double epsilon = 0;                 ///< in [0, 1); 0: all
  bool operator==(const DrawOptions&) const = default;
};
void describe(DrawOptions& o, AnyOptionVisitor auto& visit) {
  visit("temperature", o.temperature, "sampling temperature: below 1 prefers probable tokens, above 1 improbable ones",
        between(0.01, 100));
  visit("top-k", o.top_k, "sample only among this many most probable tokens; none: among all", at_least(1));
  visit("top-p", o.top_p,
        "nucleus sampling: only among the most probable tokens that together have this probability; 1: among all",
        between(1e-6, 1));
  visit("epsilon", o.epsilon, "epsilon sampling: only among tokens of at least this probability; 0: among all",
        between(0, 0.999));
}

struct TokenProbability {
  int32_t token;
  double probability;
  bool operator==(const TokenProbability&) const = default;
};

/// The tokens that can be sampled, with probabilities that sum to 1. They are sorted by probability (ties by token) if
/// top-k or top-p excludes some, else by token. logits: of one position; -inf: excluded. Throws Error if a logit is NaN
/// or all are excluded.
std::vector<TokenProbability> drawable(std::span<const float> logits, const DrawOptions& options);

/// Samples a token by an exponential race: the smallest E_v / p_v wins. The standard exponential variables E_v depend
/// only on `draw` and v. A small change of the probabilities therefore rarely changes the sample. A lookup in
/// cumulative probabilities would shift all samples.
int32_t draw_token(std::span<const TokenProbability> distribution, uint64_t draw);

}  // namespace heed::search
