#include "heed/models/convolution/encoder.h"

#include <cmath>

#include <ATen/ATen.h>

#include "heed/nn/masks.h"
#include "heed/nn/random/dropout.h"

namespace heed::models {

std::shared_ptr<Encoder> make_encoder(const ConvolutionEncoderOptions& options, double dropout,
                                      const SourceEmbedding& source) {
  return std::make_shared<ConvolutionEncoder>(options, dropout, source);
}

ConvolutionEncoder::ConvolutionEncoder(const ConvolutionEncoderOptions& options, double dropout,
                                       const SourceEmbedding& source)
    : embedding(source.embedding),
      positions(nn::LearnedPositions{.max_length = options.stack.max_length}, embedding->options().d_model),
      input(nn::LinearOptions{.in = embedding->options().d_model, .out = options.stack.hidden}),
      output(nn::LinearOptions{.in = options.stack.hidden, .out = embedding->options().d_model}),
      dropout_(dropout) {
  if (!source.borrowed) register_module("embedding", embedding);
  register_module("positions", positions);
  register_module("input", input);
  register_module("layers", layers);
  register_module("output", output);
  const nn::GatedConvolutionOptions layer{.d_model = options.stack.hidden, .kernel = options.stack.kernel};
  for (int64_t i = 0; i < options.stack.layers; ++i) layers->push_back(nn::GatedConvolution(layer));
}

Memory ConvolutionEncoder::forward(const Tensor& source) {
  TORCH_CHECK(source.dim() == 2, "`source` must be [S, source], found ", source.sizes());
  const Tensor real = nn::real_tokens(source);
  const Tensor padding = real.bitwise_not().unsqueeze(2);
  const Tensor embedded = nn::dropout(positions(embedding(source)), dropout_, is_training());  // [S, source, d_model]
  Tensor x = input(embedded);                                                                  // [S, source, hidden]
  for (const auto& layer : *layers) {
    const Tensor in = nn::dropout(x, dropout_, is_training()).masked_fill(padding, 0);
    x = (layer->as<nn::GatedConvolutionImpl>()->forward(in) + x) * std::sqrt(0.5);
  }
  const Tensor states = output(x);
  return {.states = states, .embedded = embedded, .mask = real, .tokens = source, .last = {}};
}

}  // namespace heed::models
