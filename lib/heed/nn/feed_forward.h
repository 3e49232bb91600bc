// The position-wise feed-forward network (Vaswani et al. 2017, section 3.3) and its gated form (Shazeer 2020,
// https://arxiv.org/abs/2002.05202):
//   plain   f(x W1 + b1) W2 + b2
//   gated   (f(x W + b) * (x V + c)) W2 + b2    f sigmoid: GLU; relu: ReGLU; gelu: GEGLU; silu: SwiGLU
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/core/options.h"
#include "heed/nn/linear.h"

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
/// x: float, any shape; elementwise.
Tensor activate(const Tensor& x, Activation activation);

struct FeedForwardOptions {
  int64_t d_model;                           ///< width of input and output; not set by users here
  int64_t d_hidden = 2048;                   ///< width of the hidden layer; gated: of each of its two halves
  Activation activation = Activation::Relu;  ///< f
  bool gated = false;                        ///< the gated form, with half as many parameters again
  double activation_dropout = 0;             ///< dropout on the hidden layer; in [0, 1), 0 = off
  bool bias = true;                          ///< whether the maps add a bias (Shazeer 2020 has none)
  bool operator==(const FeedForwardOptions&) const = default;
};
inline void describe(FeedForwardOptions& o, OptionVisitor& visit) {
  visit("hidden", o.d_hidden, "width of the feed-forward network's hidden layer (d_ff)", between(1, 1e6));
  visit("activation", o.activation, "activation function");
  visit("gated", o.gated, "multiply the hidden layer by a second linear map of the input (GLU, GEGLU, SwiGLU)");
  visit("activation-dropout", o.activation_dropout, "dropout probability of the hidden layer; 0: off",
        between(0, 0.99));
  visit("bias", o.bias, "add a bias in both maps");
}

class FeedForwardImpl : public torch::nn::Module {
 public:
  explicit FeedForwardImpl(const FeedForwardOptions& options);

  /// x: float [..., d_model] -> float [..., d_model]; each position alone.
  Tensor forward(const Tensor& x);
  const FeedForwardOptions& options() const { return options_; }

  Linear hidden{nullptr};  ///< W1; gated: W and V stacked
  Linear output{nullptr};  ///< W2

 private:
  FeedForwardOptions options_;
};
TORCH_MODULE(FeedForward);

}  // namespace heed::nn
