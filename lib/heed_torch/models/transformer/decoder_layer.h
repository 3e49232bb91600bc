// One decoder layer (Vaswani et al. 2017, figure 1, right): self-attention to the positions so far, attention to the
// encoder output (except in a language model), and a feed-forward network. Each has a residual connection.
#pragma once

#include <optional>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/models/transformer/layer.h"

namespace heed::models {

/// The encoder output as one pass through the decoder reads it.
struct MemoryView {
  nn::KeysValues projected;       ///< keys and values for this layer; undefined for a language model
  const nn::AttentionMask* mask;  ///< of the source's real tokens; null for a language model
  bool want_weights = false;      ///< return the attention to the encoder output
};

struct DecoderLayerOutput {
  Tensor states;   ///< float [S, target, d_model], from step [S, beam, d_model]
  Tensor weights;  ///< attention to the encoder output, if requested: float [S, heads, target or beam, source]
};

class TransformerDecoderLayerImpl : public torch::nn::Module {
 public:
  /// cross: the attention to the encoder output; absent for a language model.
  TransformerDecoderLayerImpl(const TransformerLayerOptions& options, const std::optional<nn::AttentionOptions>& cross);

  /// x: float [S, target, d_model]; frame: its mask hides later positions.
  DecoderLayerOutput forward(const Tensor& x, const nn::AttentionFrame& frame, const MemoryView& memory);
  /// x: float [S, beam, d_model], the next position of each hypothesis; the cache has S * beam rows.
  DecoderLayerOutput step(const Tensor& x, nn::KeyValueCache& cache, const nn::AttentionFrame& frame,
                          const MemoryView& memory);

  nn::SelfAttention self_attention;
  nn::Norm self_attention_norm;
  nn::CrossAttention cross_attention{nullptr};
  nn::Norm cross_attention_norm{nullptr};
  nn::FeedForward feed_forward;
  nn::Norm feed_forward_norm;

 private:
  DecoderLayerOutput look_and_transform(const Tensor& x, const MemoryView& memory);

  ResidualConnection connect_;
};
TORCH_MODULE(TransformerDecoderLayer);

}  // namespace heed::models
