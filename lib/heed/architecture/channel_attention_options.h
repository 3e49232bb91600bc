// The options of channel attention, which weights the feature maps of convolutions.
// heed_torch/nn/attention/channel_attention.h has the formulas.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::nn {

struct NoChannelAttention {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoChannelAttention&) const = default;
};
void describe(NoChannelAttention&, AnyOptionVisitor auto&) {}

/// The network that computes the weights of the channels.
struct ChannelNetworkOptions {
  int64_t reduction = 16;  ///< r: its hidden layer has channels / r units
  bool operator==(const ChannelNetworkOptions&) const = default;
};
void describe(ChannelNetworkOptions& o, AnyOptionVisitor auto& visit) {
  visit("channel-attention-reduction", o.reduction,
        "reduction ratio r: the hidden layer of channel attention has channels / r units; few channels need a small r",
        between(1, 1e6));
}

struct SqueezeExcitation {
  static constexpr std::string_view kName = "squeeze-excitation";
  static constexpr std::string_view kHelp = "from the mean of each feature map, Hu et al. 2018";
  ChannelNetworkOptions network = {};
  bool operator==(const SqueezeExcitation&) const = default;
};
void describe(SqueezeExcitation& o, AnyOptionVisitor auto& visit) { describe(o.network, visit); }

/// The convolutional block attention module (Woo et al. 2018).
struct Cbam {
  static constexpr int64_t kSpatialKernel = 7;  ///< section 4.1: 7 is better than 3
  static constexpr std::string_view kName = "cbam";
  static constexpr std::string_view kHelp =
      "from the mean and the maximum of each feature map, then a weight for each place, Woo et al. 2018";
  ChannelNetworkOptions network = {};
  bool operator==(const Cbam&) const = default;
};
void describe(Cbam& o, AnyOptionVisitor auto& visit) { describe(o.network, visit); }

using ChannelAttentionOptions = std::variant<NoChannelAttention, SqueezeExcitation, Cbam>;

/// The options of the channel network; null without channel attention.
inline const ChannelNetworkOptions* channel_network_of(const ChannelAttentionOptions& options) {
  const auto find = []<class Type>(const Type& type) -> const ChannelNetworkOptions* {
    if constexpr (requires { type.network; }) {
      return &type.network;
    } else {
      return nullptr;
    }
  };
  return std::visit(find, options);
}

}  // namespace heed::nn
