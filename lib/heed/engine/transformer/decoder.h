// The Transformer decoder of heed_torch/models/transformer/decoder.h, one position at a time.
#pragma once

#include <vector>

#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/transformer/sublayers.h"

namespace heed::engine {

class TransformerDecoder : public Decoder {
 public:
  /// cross: the attention to the encoder output; absent for a language model.
  TransformerDecoder(const LayerSource& source, const EmbeddingTable& embedding,
                     const std::optional<nn::AttentionOptions>& cross);
  std::unique_ptr<DecoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    SelfAttention self_attention;
    Norm self_attention_norm;
    std::optional<CrossAttention> cross_attention;
    Norm cross_attention_norm;
    FeedForward feed_forward;
    Norm feed_forward_norm;
  };

  TransformerStack stack_;
  std::vector<Layer> layers_;
};

}  // namespace heed::engine
