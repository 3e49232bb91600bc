// How scores become weights: the options of heed_torch/nn/attention/choice.h, which has the formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::nn {

struct SoftChoice {
  static constexpr std::string_view kName = "soft";
  bool operator==(const SoftChoice&) const = default;
};
void describe(SoftChoice&, AnyOptionVisitor auto&) {}

struct SparsemaxChoice {
  static constexpr std::string_view kName = "sparsemax";
  bool operator==(const SparsemaxChoice&) const = default;
};
void describe(SparsemaxChoice&, AnyOptionVisitor auto&) {}

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
void describe(HardChoice& o, AnyOptionVisitor auto& visit) {
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
void describe(GumbelChoice& o, AnyOptionVisitor auto& visit) {
  visit("temperature", o.temperature,
        "temperature of the softmax whose gradient stands in for that of the sampled choice", at_least(0.01));
}

using ChoiceOptions = std::variant<SoftChoice, SparsemaxChoice, HardChoice, GumbelChoice>;

}  // namespace heed::nn
