// The convolutional decoder, one position of all hypotheses at a time. heed_torch/models/convolution/decoder.h has the
// formulas. All layers attend to the same keys and values.
#pragma once

#include <vector>

#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/convolution/stack.h"

namespace heed::engine {

class ConvolutionDecoder : public Decoder {
 public:
  ConvolutionDecoder(const Weights& weights, const models::ConvolutionDecoderOptions& options,
                     const EmbeddingTable& embedding, Precision precision);
  std::unique_ptr<DecoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    GatedConvolution convolution;
    Matrix query, context;  ///< empty in a language model
  };

  ConvolutionStack stack_;
  Matrix memory_map_;  // only if the encoder output has another width than the embeddings
  std::vector<Layer> layers_;
};

}  // namespace heed::engine
