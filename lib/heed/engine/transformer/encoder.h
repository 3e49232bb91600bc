// The Transformer encoder of heed_torch/models/transformer/encoder.h. Sentences are concatenated without padding.
#pragma once

#include <vector>

#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/transformer/sublayers.h"

namespace heed::engine {

class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const LayerSource& source, const EmbeddingTable& embedding);
  std::unique_ptr<EncoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    SelfAttention self_attention;
    Norm self_attention_norm;
    FeedForward feed_forward;
    Norm feed_forward_norm;
  };

  TransformerStack stack_;
  std::vector<Layer> layers_;
};

}  // namespace heed::engine
