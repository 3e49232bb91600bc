// One decoder layer (Vaswani et al. 2017, figure 1, right): self-attention that sees no later position, attention to
// the memory (unless a language model), and a feed-forward network, each in a residual connection.
#pragma once

#include <optional>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/models/transformer/layer.h"

namespace heed::models {

/// The memory as one pass through the decoder sees it.
struct MemoryView {
  nn::KeysValues projected;       ///< of this layer; undefined for a language model
  const nn::AttentionMask* mask;  ///< of the memory's real tokens; null for a language model
  bool want_weights = false;      ///< return the attention to the memory
};

struct DecoderLayerOutput {
  Tensor states;   ///< float [S, target, d_model] or of a step [S, beam, d_model]
  Tensor weights;  ///< of the attention to the memory, if wanted: float [S, heads, target or beam, source]
};

class TransformerDecoderLayerImpl : public torch::nn::Module {
 public:
  /// cross: the attention to the memory; none for a language model.
  TransformerDecoderLayerImpl(const TransformerLayerOptions& options, const std::optional<CrossAttention>& cross);

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
