// The convolutional encoder of heed_torch/models/convolution/encoder.h. Sentences are concatenated. A window has zeros
// where it reaches beyond its sentence.
#pragma once

#include <vector>

#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/convolution/stack.h"

namespace heed::engine {

class ConvolutionEncoder : public Encoder {
 public:
  ConvolutionEncoder(const Weights& weights, const models::ConvolutionEncoderOptions& options,
                     const EmbeddingTable& embedding, Precision precision);
  std::unique_ptr<EncoderRun> begin_run() const override;

 private:
  class Run;

  ConvolutionStack stack_;
  std::vector<GatedConvolution> layers_;
};

}  // namespace heed::engine
