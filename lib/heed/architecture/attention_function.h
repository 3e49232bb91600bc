// Attention functions of recurrent decoders: how scores become weights. heed_torch/nn/attention/attention_function.h
// has the formulas.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::nn {

struct SoftAttention {
  static constexpr std::string_view kName = "soft";
  bool operator==(const SoftAttention&) const = default;
};
void describe(SoftAttention&, AnyOptionVisitor auto&) {}

struct SparsemaxAttention {
  static constexpr std::string_view kName = "sparsemax";
  bool operator==(const SparsemaxAttention&) const = default;
};
void describe(SparsemaxAttention&, AnyOptionVisitor auto&) {}

struct HardAttention {
  static constexpr std::string_view kName = "hard";
  std::optional<int64_t> horizon = std::nullopt;  ///< number of following target tokens whose loss is credited to a
                                                  ///< sampled position; absent: all that follow. Only this default
                                                  ///< gives an unbiased gradient
  double entropy_weight = 0;                      ///< weight of a reward for distributions of high entropy (Xu et al.
                                                  ///< 2015, equation 11)
  double expected_share = 0;  ///< probability that training replaces a sampled position by its expectation, the
                              ///< softmax, for steadier gradients. Xu et al. 2015, section 4.1, use one half and decide
                              ///< once for all positions of an image; here each target position decides
  bool operator==(const HardAttention&) const = default;
};
void describe(HardAttention& o, AnyOptionVisitor auto& visit) {
  visit("horizon", o.horizon, "following target tokens whose loss is credited to a sampled position; none: all",
        at_least(1));
  visit("entropy-weight", o.entropy_weight,
        "weight of a reward for the entropy of the distribution that positions are sampled from", at_least(0));
  visit("expected-share", o.expected_share,
        "share of positions at which training uses the expected context (soft attention) instead of a sampled one",
        between(0, 1));
}

struct GumbelAttention {
  static constexpr std::string_view kName = "gumbel";
  double temperature = 1;
  bool operator==(const GumbelAttention&) const = default;
};
void describe(GumbelAttention& o, AnyOptionVisitor auto& visit) {
  visit("temperature", o.temperature, "temperature of the softmax whose gradient replaces that of the sampled position",
        at_least(0.01));
}

using AttentionFunction = std::variant<SoftAttention, SparsemaxAttention, HardAttention, GumbelAttention>;

}  // namespace heed::nn
