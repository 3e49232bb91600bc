// The Transformer decoder (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1): embeddings and
// positions, then N equal layers. Without an encoder it is a language model.
#pragma once

#include <optional>

#include <torch/nn/modules/container/modulelist.h>

#include "heed_torch/models/common/decoder.h"
#include "heed_torch/models/transformer/decoder_layer.h"
#include "heed_torch/models/transformer/decoder_state.h"
#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::models {

class TransformerDecoder : public Decoder {
 public:
  /// of_layers: the options of each layer. cross: the attention to the encoder output; absent for a
  /// language model. step() hides later positions from each position even without a causal mask.
  TransformerDecoder(const TransformerDecoderOptions& options, const TransformerLayerOptions& of_layers,
                     const std::optional<nn::AttentionOptions>& cross, const nn::TokenEmbedding& target);

  Decoded forward(const Tensor& target, const Memory* memory, RequestedOutputs want = {}) override;
  std::unique_ptr<DecoderState> start(const Memory* memory, int64_t beam, int64_t sentences = 0) override;
  Decoded step(const Tensor& tokens, DecoderState& state, RequestedOutputs want = {}) override;

  nn::TokenEmbedding embedding;
  nn::Positions positions;
  torch::nn::ModuleList layers;  ///< TransformerDecoderLayer
  nn::Norm norm;                 ///< after the last layer; only with pre-norm

 private:
  TransformerDecoderLayerImpl& layer(size_t i);
  bool wants_weights(size_t i, const RequestedOutputs& want) const;
  Decoded finish(const Tensor& states, const std::vector<Tensor>& weights, const RequestedOutputs& want);

  TransformerDecoderOptions options_;
  TransformerLayerOptions layer_options_;
  bool has_memory_;
};

}  // namespace heed::models
