// The Transformer encoder of models/transformer/encoder.h. Sentences stand side by side: no position is padding.
#pragma once

#include <vector>

#include "heed/engine/coders.h"
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

  EmbeddingTable embedding_;
  models::TransformerOptions stack_;
  Precision precision_;
  int64_t d_model_;
  Connection connect_;
  std::optional<Weight> learned_positions_;
  std::vector<Layer> layers_;
  Norm norm_;
};

}  // namespace heed::engine
