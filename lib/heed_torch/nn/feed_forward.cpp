#include "heed_torch/nn/feed_forward.h"

#include <vector>

#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include "heed_torch/nn/random/dropout.h"

namespace heed::nn {

Tensor activate(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::Relu:
      return at::relu(x);
    case Activation::Gelu:
      return at::gelu(x);
    case Activation::Silu:
      return at::silu(x);
    case Activation::Sigmoid:
      break;
  }
  return at::sigmoid(x);
}

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options) : options_(options) {
  const int64_t maps = options.gated ? 2 : 1;
  hidden = register_module(
      "hidden", Linear(LinearOptions{
                    .in = options.d_model, .out = maps * options.d_hidden, .bias = options.bias, .stacked = maps}));
  output = register_module(
      "output",
      Linear(LinearOptions{.in = options.d_hidden, .out = options.d_model, .bias = options.bias, .ends_branch = true}));
}

Tensor FeedForwardImpl::forward(const Tensor& x) {
  Tensor inner = hidden(x);  // [..., d_hidden]; gated: [..., 2 d_hidden]
  if (options_.gated) {
    const auto halves = inner.chunk(2, -1);
    inner = activate(halves[0], options_.activation) * halves[1];  // [..., d_hidden]
  } else {
    inner = activate(inner, options_.activation);
  }
  inner = nn::dropout(inner, options_.activation_dropout, is_training());
  return output(inner);  // [..., d_model]
}

int64_t FeedForwardImpl::add_lora(const LoraOptions& options) {
  if (!options.adapts("feed-forward")) return 0;
  const std::vector<int64_t> maps = options_.gated ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0};
  return hidden->adapt(options, maps) + output->adapt(options, {0});
}

}  // namespace heed::nn
