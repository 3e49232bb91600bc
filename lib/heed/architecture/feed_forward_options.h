// The options of the position-wise feed-forward network. heed_torch/nn/feed_forward.h has the formulas.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "heed/core/options.h"

namespace heed::nn {

enum class Activation {
  Relu,     ///< max(0, x)
  Gelu,     ///< x Phi(x), the exact form; Hendrycks and Gimpel 2016, https://arxiv.org/abs/1606.08415
  Silu,     ///< x sigmoid(x); also called swish
  Sigmoid,  ///< 1 / (1 + e^-x)
};
constexpr auto option_names(Activation) {
  using Name = std::pair<Activation, std::string_view>;
  return std::array{Name{Activation::Relu, "relu"}, Name{Activation::Gelu, "gelu"}, Name{Activation::Silu, "silu"},
                    Name{Activation::Sigmoid, "sigmoid"}};
}

struct FeedForwardOptions {
  int64_t d_model;                           ///< width of input and output; taken from the architecture, not set by
                                             ///< users
  int64_t d_hidden = 2048;                   ///< width of the hidden layer; if gated, the width of each of its two
                                             ///< halves
  Activation activation = Activation::Relu;  ///< f
  bool gated = false;                        ///< the gated form, which has 1.5 times the parameters
  double activation_dropout = 0;             ///< dropout on the hidden layer; in [0, 1), 0 = off
  bool bias = true;                          ///< whether the projections add a bias (Shazeer 2020 has no bias)
  bool operator==(const FeedForwardOptions&) const = default;
};
void describe(FeedForwardOptions& o, AnyOptionVisitor auto& visit) {
  visit("hidden", o.d_hidden, "width of the feed-forward network's hidden layer (d_ff)", between(1, 1e6));
  visit("activation", o.activation, "activation function");
  visit("gated", o.gated, "multiply the hidden layer by a second projection of the input (GLU, GEGLU, SwiGLU)");
  visit("activation-dropout", o.activation_dropout, "dropout probability of the hidden layer; 0: off",
        between(0, 0.99));
  visit("bias", o.bias, "add biases to both linear layers");
}

}  // namespace heed::nn
