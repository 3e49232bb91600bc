// The options of parameter initialization. heed_torch/nn/initialization.h has the formulas.
#pragma once

#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::nn {

struct XavierUniform {
  static constexpr std::string_view kName = "xavier-uniform";
  double gain = 1;  ///< factor; positive
  bool operator==(const XavierUniform&) const = default;
};
void describe(XavierUniform& o, AnyOptionVisitor auto& visit) {
  visit("gain", o.gain, "factor on the values", above(0));
}

struct XavierNormal {
  static constexpr std::string_view kName = "xavier-normal";
  double gain = 1;  ///< factor; positive
  bool operator==(const XavierNormal&) const = default;
};
void describe(XavierNormal& o, AnyOptionVisitor auto& visit) {
  visit("gain", o.gain, "factor on the values", above(0));
}

struct Normal {
  static constexpr std::string_view kName = "normal";
  double deviation = 0.02;  ///< standard deviation; positive
  bool operator==(const Normal&) const = default;
};
void describe(Normal& o, AnyOptionVisitor auto& visit) {
  visit("deviation", o.deviation, "standard deviation of the values", above(0));
}

struct InverseSqrt {
  static constexpr std::string_view kName = "inverse-sqrt";
  bool operator==(const InverseSqrt&) const = default;
};
void describe(InverseSqrt&, AnyOptionVisitor auto&) {}

using InitialDistribution = std::variant<XavierUniform, XavierNormal, Normal, InverseSqrt>;
void describe(InitialDistribution& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o, "distribution of initial values");
}

struct InitializationOptions {
  InitialDistribution weights = XavierUniform{};   ///< weight matrices of linear layers
  InitialDistribution embeddings = InverseSqrt{};  ///< embedding tables; Xavier counts rows as inputs and the width as
                                                   ///< outputs
  bool zero_branches = false;  ///< the last projection of each residual branch of a Transformer begins with zeros
  bool operator==(const InitializationOptions&) const = default;
};
void describe(InitializationOptions& o, AnyOptionVisitor auto& visit) {
  visit.section("weights", o.weights, "initial values of linear layers");
  visit.section("embeddings", o.embeddings, "initial values of embeddings");
  visit("zero-branches", o.zero_branches,
        "the output projections of attention and feed-forward networks begin with zeros, so that each layer of a "
        "Transformer first passes on its input");
}

}  // namespace heed::nn
