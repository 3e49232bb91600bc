#include "heed_torch/models/convolution/encoder.h"

#include <cmath>
#include <utility>

#include <ATen/ATen.h>

#include "heed_torch/nn/random/dropout.h"

namespace heed::models {

std::shared_ptr<Encoder> make_encoder(const ConvolutionEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  return std::make_shared<ConvolutionEncoder>(options, dropout, std::move(source));
}

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

}  // namespace heed::models
