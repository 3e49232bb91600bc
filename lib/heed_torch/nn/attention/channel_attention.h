// Channel attention: weights for the feature maps of a convolution, computed from the maps themselves.
// x_c: feature map c; delta: ReLU; W1 [C / r, C] and W2 [C, C / r] without biases.
//   squeeze-excitation  s = sigmoid(W2 delta(W1 z)),  z_c the mean of x_c over all places,  y_c = s_c x_c
//     Hu et al. 2018, https://arxiv.org/abs/1709.01507, equations 2 to 4
//   cbam                s = sigmoid(W2 delta(W1 z) + W2 delta(W1 m)),  m_c the maximum of x_c over all places,
//                       t = sigmoid(f * [mean_c(s_c x_c); max_c(s_c x_c)]),  y_c = t s_c x_c
//     Woo et al. 2018, https://arxiv.org/abs/1807.06521, equations 2 and 3; f is a convolution of 7 x 7 places (for a
//     sequence 7) without a bias: t has a weight for each place
// Means, maxima and the convolution use real places only. Padding is zero before and after, and changes no weight.
#pragma once

#include <cstdint>
#include <memory>

#include <torch/nn/module.h>

#include "heed/architecture/channel_attention_options.h"
#include "heed_torch/nn/linear.h"

namespace heed::nn {

/// All weights are between 0 and 1.
struct ChannelWeights {
  Tensor channels;     ///< s: float [S, C]
  Tensor places = {};  ///< t: float [S, rows, columns]; undefined without spatial attention
};

struct ChannelAttended {
  Tensor maps;  ///< y: float [S, C, rows, columns], zeros where padded
  ChannelWeights weights;
};

class ChannelAttention : public torch::nn::Module {
 public:
  /// x: float [S, C, rows, columns], zeros where padded. real: bool [S, 1, rows, columns], true = a real place; each
  /// item has at least one.
  virtual ChannelAttended forward(const Tensor& x, const Tensor& real) = 0;

 protected:
  ChannelAttention(const ChannelNetworkOptions& options, int64_t channels);
  /// z: float [S, C] -> W2 delta(W1 z), the same shape.
  Tensor network(const Tensor& z);

 private:
  Linear reduce_{nullptr};  // W1
  Linear expand_{nullptr};  // W2
};

/// Null without channel attention. channels: C, a multiple of r. grid: whether the places form a grid; false: a
/// sequence.
std::shared_ptr<ChannelAttention> make_channel_attention(const ChannelAttentionOptions& options, int64_t channels,
                                                         bool grid);

}  // namespace heed::nn
