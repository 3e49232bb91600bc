#include "heed_torch/models/common/encoder.h"

#include <cmath>
#include <utility>

#include <ATen/ATen.h>
#include <torch/nn/modules/container/modulelist.h>

#include "heed/architecture/convolution_options.h"
#include "heed_torch/nn/gated_convolution.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/positions/positions.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

/// The convolutional encoder of Gehring et al. 2017 (https://arxiv.org/abs/1705.03122, section 3.3). Let e be the
/// source reader's output plus a learned vector for each position, and f_l the gated convolutions:
///   x_0 = W_in e,    x_l = (f_l(x_{l-1}) + x_{l-1}) sqrt(1/2),    z = W_out x_L
/// Attention uses z as keys and (z + e) sqrt(1/2) as values.
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

ConvolutionEncoder::ConvolutionEncoder(const ConvolutionEncoderOptions& options, double dropout,
                                       std::shared_ptr<SourceReader> source)
    : Encoder(std::move(source)),
      positions(nn::LearnedPositions{.max_length = options.stack.max_length}, reader().d_model()),
      input(nn::LinearOptions{.in = reader().d_model(), .out = options.stack.hidden}),
      output(nn::LinearOptions{.in = options.stack.hidden, .out = reader().d_model()}),
      dropout_(dropout) {
  register_module("positions", positions);
  register_module("input", input);
  register_module("layers", layers);
  register_module("output", output);
  const nn::GatedConvolutionOptions layer{.d_model = options.stack.hidden, .kernel = options.stack.kernel};
  for (int64_t i = 0; i < options.stack.layers; ++i) layers->push_back(nn::GatedConvolution(layer));
}

Memory ConvolutionEncoder::encode(const SourceStates& source) {
  const Tensor padding = source.real.bitwise_not().unsqueeze(2);
  const Tensor embedded = nn::dropout(positions(source.states), dropout_, is_training());  // [S, source, d_model]
  Tensor x = input(embedded);                                                              // [S, source, hidden]
  for (const auto& layer : *layers) {
    const Tensor in = nn::dropout(x, dropout_, is_training()).masked_fill(padding, 0);
    x = (layer->as<nn::GatedConvolutionImpl>()->forward(in) + x) * std::sqrt(0.5);
  }
  const Tensor states = output(x);
  return {.states = states, .embedded = embedded, .mask = source.real, .tokens = source.tokens, .last = {}};
}

}  // namespace

std::shared_ptr<Encoder> make_encoder(const ConvolutionEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  return std::make_shared<ConvolutionEncoder>(options, dropout, std::move(source));
}

}  // namespace heed::models
