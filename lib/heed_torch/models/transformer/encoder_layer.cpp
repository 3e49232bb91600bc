#include "heed_torch/models/transformer/encoder_layer.h"

namespace heed::models {

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(const TransformerLayerOptions& options)
    : self_attention(options.self_attention()),
      self_attention_norm(options.norm()),
      feed_forward(options.feed_forward()),
      feed_forward_norm(options.norm()),
      connect_(options) {
  register_module("self_attention", self_attention);
  register_module("self_attention_norm", self_attention_norm);
  register_module("feed_forward", feed_forward);
  register_module("feed_forward_norm", feed_forward_norm);
}

Tensor TransformerEncoderLayerImpl::forward(const Tensor& x, const nn::AttentionFrame& frame) {
  const auto attend = [&](const Tensor& states) { return self_attention(states, frame).context; };
  const Tensor attended = connect_(x, self_attention_norm, is_training(), attend);
  return connect_(attended, feed_forward_norm, is_training(), feed_forward);
}

}  // namespace heed::models
