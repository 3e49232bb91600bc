// How a recurrent decoder's attention turns the scores of the source positions into weights.
//   soft       softmax
//   sparsemax  the closest distribution, which has exact zeros (Martins and Astudillo 2016,
//              https://arxiv.org/abs/1602.02068)
//   hard       one position, sampled from the softmax while training (Xu et al. 2015, https://arxiv.org/abs/1502.03044,
//              section 4.1). The choice has no derivative; its gradient is REINFORCE's, see
//              nn/losses/reinforce_loss.h
//   gumbel     one position, sampled likewise; the gradient passes straight through it as if the weights were
//              softmax((log p + noise) / temperature) (Jang et al. 2017, https://arxiv.org/abs/1611.01144)
// hard and gumbel take the position of the highest score when not training.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <ATen/core/Tensor.h>

#include "heed/core/options.h"

namespace heed::nn {

using at::Tensor;

struct SoftChoice {
  static constexpr std::string_view kName = "soft";
  bool operator==(const SoftChoice&) const = default;
};
inline void describe(SoftChoice&, OptionVisitor&) {}

struct SparsemaxChoice {
  static constexpr std::string_view kName = "sparsemax";
  bool operator==(const SparsemaxChoice&) const = default;
};
inline void describe(SparsemaxChoice&, OptionVisitor&) {}

struct HardChoice {
  static constexpr std::string_view kName = "hard";
  std::optional<int64_t> horizon = std::nullopt;  ///< target tokens whose loss a choice answers for; absent: all that
                                                  ///< follow, which alone has no bias
  double entropy_weight = 0;                      ///< reward for undecided distributions (Xu et al. 2015, equation 11)
  double expected_share = 0;  ///< of the choices in training, drawn by chance, that give way to the softmax itself, the
                              ///< choice's expectation: steadier gradients (Xu et al. 2015, section 4.1: one half,
                              ///< drawn there once for all positions of an image, here for each target position)
  bool operator==(const HardChoice&) const = default;
};
inline void describe(HardChoice& o, OptionVisitor& visit) {
  visit("horizon", o.horizon, "following target tokens whose loss is credited to a sampled choice; none: all",
        at_least(1));
  visit("entropy-weight", o.entropy_weight,
        "weight of a reward for the entropy of the distribution that positions are sampled from", at_least(0));
  visit("expected-share", o.expected_share,
        "share of positions at which training uses the expected context (soft attention) instead of a sampled one",
        between(0, 1));
}

struct GumbelChoice {
  static constexpr std::string_view kName = "gumbel";
  double temperature = 1;
  bool operator==(const GumbelChoice&) const = default;
};
inline void describe(GumbelChoice& o, OptionVisitor& visit) {
  visit("temperature", o.temperature,
        "temperature of the softmax whose gradient stands in for that of the sampled choice", at_least(0.01));
}

using ChoiceOptions = std::variant<SoftChoice, SparsemaxChoice, HardChoice, GumbelChoice>;

struct Chosen {
  Tensor weights;               ///< float [..., source]; all 0 where nothing is allowed
  Tensor log_probability = {};  ///< float [...], of the position a hard choice sampled, 0 where the softmax took its
                                ///< place; otherwise undefined
  Tensor entropy = {};          ///< float [...], of the distribution it was sampled from; otherwise undefined
};

/// scores: float [..., source]; allowed: bool, broadcasts to them, true = may be chosen. training: hard and gumbel
/// sample, with one draw of the open RandomScope, two where a share of the choices is replaced.
Chosen choose(const ChoiceOptions& options, const Tensor& scores, const Tensor& allowed, bool training);

/// The point of the simplex that is closest to the scores. scores: float [..., n]; allowed: bool, broadcasts to them;
/// those not allowed get 0, and so do all where none is.
Tensor sparsemax(const Tensor& scores, const Tensor& allowed);

}  // namespace heed::nn
