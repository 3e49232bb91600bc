// The options of a Transformer's attention. heed_torch/nn/attention/attention.h has the formula of each kind.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "heed/architecture/norm_options.h"
#include "heed/architecture/position_options.h"
#include "heed/core/options.h"

namespace heed::nn {

struct MultiHead {
  static constexpr std::string_view kName = "multi-head";
  int64_t heads = 8;  ///< h; must divide d_model
  bool bias = true;   ///< the projections add a bias (Vaswani et al. have no bias)
  bool operator==(const MultiHead&) const = default;
};
void describe(MultiHead& o, AnyOptionVisitor auto& visit) {
  visit("heads", o.heads, "attention heads; must divide the model's width", at_least(1));
  visit("attention-bias", o.bias, "add biases to the projections of queries, keys, values and output");
}

struct SingleHead {
  static constexpr std::string_view kName = "single-head";
  bool bias = true;  ///< the projections add a bias
  bool operator==(const SingleHead&) const = default;
};
void describe(SingleHead& o, AnyOptionVisitor auto& visit) {
  visit("attention-bias", o.bias, "add biases to the projections of queries, keys and values");
}

struct ParameterFree {
  static constexpr std::string_view kName = "parameter-free";
  bool operator==(const ParameterFree&) const = default;
};
void describe(ParameterFree&, AnyOptionVisitor auto&) {}

using AttentionKind = std::variant<MultiHead, SingleHead, ParameterFree>;
inline int64_t heads_of(const AttentionKind& kind) {
  const auto* multi = std::get_if<MultiHead>(&kind);
  return multi ? multi->heads : 1;
}

struct AttentionOptions {
  int64_t d_model;                                                 ///< width of the states
  AttentionKind kind = MultiHead{};                                ///< how queries, keys and values are computed
  bool scaled = true;                                              ///< divide scores by sqrt(d_head)
  double dropout = 0;                                              ///< dropout on the weights; in [0, 1), 0 = off
  double query_key_value_dropout = 0;                              ///< dropout on queries, keys and values, likewise
  std::optional<NormKind> query_key_norm = std::nullopt;           ///< of queries and keys; absent: none
  std::optional<RelativePositionOptions> relative = std::nullopt;  ///< self-attention only
  int64_t d_memory = 0;  ///< width of the encoder output; 0: d_model. Another width needs projections, so not
                         ///< parameter-free
  bool operator==(const AttentionOptions&) const = default;

  int64_t d_head() const { return d_model / heads_of(kind); }
  /// The factor on scores: 1 / sqrt(d_head), or 1.
  double score_scale() const { return scaled ? 1 / std::sqrt(static_cast<double>(d_head())) : 1; }
  /// The norm of a head's queries and of its keys.
  NormOptions head_norm() const { return {.d_model = d_head(), .kind = query_key_norm.value_or(NormKind::None)}; }
  /// Whether queries, keys and values are projected, and whether the heads' contexts are.
  bool projects() const { return !std::holds_alternative<ParameterFree>(kind); }
  bool combines() const { return std::holds_alternative<MultiHead>(kind); }
  /// Whether the projections add a bias.
  bool bias() const {
    if (const auto* multi = std::get_if<MultiHead>(&kind)) return multi->bias;
    const auto* single = std::get_if<SingleHead>(&kind);
    return single != nullptr && single->bias;
  }
};

}  // namespace heed::nn
