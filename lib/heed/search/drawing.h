// Drawing a token from what a model says of the next one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heed/core/options.h"

namespace heed::search {

/// From p(v)^(1/temperature), normalized; of it only the tokens of at least `epsilon` (Hewitt et al. 2022,
/// https://arxiv.org/abs/2210.15191) and the likeliest one, of these the top-k likeliest, and of these, normalized
/// again, the fewest likeliest that together reach top-p (Holtzman et al. 2020, https://arxiv.org/abs/1904.09751,
/// equation 3).
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

/// The tokens that may be drawn, with their probabilities, which sum to 1: likeliest first (equals in order of token)
/// where top-k or top-p cuts some off, else in order of token. logits: of one position; -inf: must not come.
/// Throws Error when one is not a number, or none may come.
std::vector<TokenProbability> drawable(std::span<const float> logits, const DrawOptions& options);

/// Draws a token by an exponential race: the least E_v / p_v wins, where the E_v are standard exponential and follow
/// from `draw` and v alone. A small change of the probabilities changes the winner with a probability as small; where a
/// number is looked up in cumulated probabilities, it shifts all that is drawn.
int32_t draw_token(std::span<const TokenProbability> distribution, uint64_t draw);

}  // namespace heed::search
