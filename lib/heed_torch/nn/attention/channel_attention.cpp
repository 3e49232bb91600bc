#include "heed_torch/nn/attention/channel_attention.h"

#include <limits>

#include <ATen/ATen.h>

#include "heed_torch/nn/convolution.h"

namespace heed::nn {
namespace {

/// z: float [S, C].
Tensor mean_of_places(const Tensor& x, const Tensor& real) {
  return x.sum({2, 3}) / real.sum({2, 3}).to(x.scalar_type());
}

/// m: float [S, C].
Tensor maximum_of_places(const Tensor& x, const Tensor& real) {
  return x.masked_fill(real.bitwise_not(), -std::numeric_limits<float>::infinity()).amax({2, 3});
}

/// s_c x_c
Tensor scaled(const Tensor& x, const Tensor& channels) { return x * channels.unsqueeze(2).unsqueeze(3); }

class SqueezeExcitationAttention : public ChannelAttention {
 public:
  SqueezeExcitationAttention(const SqueezeExcitation& options, int64_t channels)
      : ChannelAttention(options.network, channels) {}

  ChannelAttended forward(const Tensor& x, const Tensor& real) override {
    const Tensor channels = at::sigmoid(network(mean_of_places(x, real)));
    return {scaled(x, channels), {channels}};
  }
};

class CbamAttention : public ChannelAttention {
 public:
  CbamAttention(const Cbam& options, int64_t channels, bool grid) : ChannelAttention(options.network, channels) {
    constexpr int64_t kKernel = Cbam::kSpatialKernel;
    const ConvolutionOptions two_maps{
        .in = 2, .out = 1, .kernel = kKernel, .padding = kKernel / 2, .grid = grid, .bias = false};
    spatial_ = register_module("spatial", Convolution(two_maps));
  }

  ChannelAttended forward(const Tensor& x, const Tensor& real) override {
    const Tensor channels = at::sigmoid(network(mean_of_places(x, real)) + network(maximum_of_places(x, real)));
    const Tensor weighted = scaled(x, channels);  // zeros at padding, so its mean and maximum are zero too
    const Tensor two_maps = at::cat({weighted.mean(1, true), weighted.amax(1, true)}, 1);
    const Tensor places = at::sigmoid(spatial_(two_maps));  // [S, 1, rows, columns]
    const ChannelWeights weights{.channels = channels, .places = places.squeeze(1)};
    return {weighted * places, weights};
  }

 private:
  Convolution spatial_{nullptr};  // f
};

}  // namespace

ChannelAttention::ChannelAttention(const ChannelNetworkOptions& options, int64_t channels) {
  TORCH_CHECK(channels % options.reduction == 0, "the reduction ", options.reduction, " must divide ", channels,
              " channels");
  const int64_t hidden = channels / options.reduction;
  reduce_ = register_module("reduce", Linear(LinearOptions{.in = channels, .out = hidden, .bias = false}));
  expand_ = register_module("expand", Linear(LinearOptions{.in = hidden, .out = channels, .bias = false}));
}

Tensor ChannelAttention::network(const Tensor& z) { return expand_(at::relu(reduce_(z))); }

std::shared_ptr<ChannelAttention> make_channel_attention(const ChannelAttentionOptions& options, int64_t channels,
                                                         bool grid) {
  if (const auto* squeeze = std::get_if<SqueezeExcitation>(&options)) {
    return std::make_shared<SqueezeExcitationAttention>(*squeeze, channels);
  }
  if (const auto* cbam = std::get_if<Cbam>(&options)) return std::make_shared<CbamAttention>(*cbam, channels, grid);
  return nullptr;
}

}  // namespace heed::nn
