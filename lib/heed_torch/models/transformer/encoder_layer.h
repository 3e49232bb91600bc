// One encoder layer (Vaswani et al. 2017, figure 1, left): self-attention and a feed-forward network, each with a
// residual connection.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/models/transformer/layer.h"

namespace heed::models {

class TransformerEncoderLayerImpl : public torch::nn::Module {
 public:
  explicit TransformerEncoderLayerImpl(const TransformerLayerOptions& options);

  /// x: float [S, source, d_model] -> the same shape; frame: with the mask of the source's real tokens.
  Tensor forward(const Tensor& x, const nn::AttentionFrame& frame);

  nn::SelfAttention self_attention;
  nn::Norm self_attention_norm;
  nn::FeedForward feed_forward;
  nn::Norm feed_forward_norm;

 private:
  ResidualConnection connect_;
};
TORCH_MODULE(TransformerEncoderLayer);

}  // namespace heed::models
