// The convolutional encoder of Gehring et al. 2017 (https://arxiv.org/abs/1705.03122, section 3). With e the embeddings
// plus a learned vector for each position, and f_l the gated convolutions,
//   x_0 = W_in e,    x_l = (f_l(x_{l-1}) + x_{l-1}) sqrt(1/2),    z = W_out x_L
// attention compares z and takes (z + e) sqrt(1/2) into the context.
#pragma once

#include <optional>

#include <torch/nn/modules/container/modulelist.h>

#include "heed/models/convolution/options.h"
#include "heed/models/encoder.h"
#include "heed/nn/gated_convolution.h"
#include "heed/nn/linear.h"
#include "heed/nn/positions/positions.h"

namespace heed::models {

class ConvolutionEncoder : public Encoder {
 public:
  /// dropout: on the embeddings and on the input of every layer.
  ConvolutionEncoder(const ConvolutionEncoderOptions& options, double dropout, const SourceEmbedding& source);

  Memory forward(const Tensor& source) override;
  std::optional<int64_t> max_length() const override { return positions->max_length(); }

  nn::TokenEmbedding embedding;
  nn::Positions positions;
  nn::Linear input, output;      ///< W_in, W_out
  torch::nn::ModuleList layers;  ///< nn::GatedConvolution

 private:
  double dropout_;
};

}  // namespace heed::models
