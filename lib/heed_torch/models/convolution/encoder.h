// The convolutional encoder of Gehring et al. 2017 (https://arxiv.org/abs/1705.03122, section 3.3). Let e be the source
// reader's output plus a learned vector for each position, and f_l the gated convolutions:
//   x_0 = W_in e,    x_l = (f_l(x_{l-1}) + x_{l-1}) sqrt(1/2),    z = W_out x_L
// Attention uses z as keys and (z + e) sqrt(1/2) as values.
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "heed/architecture/convolution_options.h"
#include "heed_torch/models/common/encoder.h"
#include "heed_torch/nn/gated_convolution.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::models {

class ConvolutionEncoder : public Encoder {
 public:
  /// dropout: on the embeddings and on the input of every layer.
  ConvolutionEncoder(const ConvolutionEncoderOptions& options, double dropout, std::shared_ptr<SourceReader> source);

  nn::Positions positions;
  nn::Linear input, output;      ///< W_in, W_out
  torch::nn::ModuleList layers;  ///< nn::GatedConvolution

 protected:
  Memory encode(const SourceStates& source) override;

 private:
  double dropout_;
};

}  // namespace heed::models
