#include "heed_torch/models/transformer/decoder_layer.h"

namespace heed::models {

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(const TransformerLayerOptions& options,
                                                         const std::optional<nn::AttentionOptions>& cross)
    : self_attention(options.self_attention()),
      self_attention_norm(options.norm()),
      feed_forward(options.feed_forward()),
      feed_forward_norm(options.norm()),
      connect_(options) {
  register_module("self_attention", self_attention);
  register_module("self_attention_norm", self_attention_norm);
  if (cross) {
    cross_attention = register_module("cross_attention", nn::CrossAttention(*cross));
    cross_attention_norm = register_module("cross_attention_norm", nn::Norm(options.norm()));
  }
  register_module("feed_forward", feed_forward);
  register_module("feed_forward_norm", feed_forward_norm);
}

DecoderLayerOutput TransformerDecoderLayerImpl::forward(const Tensor& x, const nn::AttentionFrame& frame,
                                                        const MemoryView& memory) {
  const auto attend = [&](const Tensor& states) { return self_attention(states, frame).context; };
  return look_and_transform(connect_(x, self_attention_norm, is_training(), attend), memory);
}

DecoderLayerOutput TransformerDecoderLayerImpl::step(const Tensor& x, nn::KeyValueCache& cache,
                                                     const nn::AttentionFrame& frame, const MemoryView& memory) {
  const auto attend = [&](const Tensor& states) {
    const Tensor rows = states.reshape({states.size(0) * states.size(1), 1, states.size(2)});
    return self_attention->step(rows, cache, frame).context.view_as(states);
  };
  return look_and_transform(connect_(x, self_attention_norm, is_training(), attend), memory);
}

DecoderLayerOutput TransformerDecoderLayerImpl::look_and_transform(const Tensor& x, const MemoryView& memory) {
  DecoderLayerOutput result{.states = x, .weights = {}};
  if (cross_attention) {
    const auto look = [&](const Tensor& states) {
      nn::Attended looked = cross_attention(states, memory.projected, *memory.mask, memory.want_weights);
      result.weights = looked.weights;
      return looked.context;
    };
    result.states = connect_(x, cross_attention_norm, is_training(), look);
  }
  result.states = connect_(result.states, feed_forward_norm, is_training(), feed_forward);
  return result;
}

}  // namespace heed::models
