#include "heed_torch/models/transformer/encoder.h"

#include <utility>

#include <ATen/ATen.h>

#include "heed_torch/models/transformer/encoder_layer.h"
#include "heed_torch/nn/products/product.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {

std::shared_ptr<Encoder> make_encoder(const TransformerEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  const TransformerLayerOptions layer{.d_model = source->d_model(), .dropout = dropout, .stack = options.stack};
  return std::make_shared<TransformerEncoder>(layer, std::move(source));
}

TransformerEncoder::TransformerEncoder(const TransformerLayerOptions& options, std::shared_ptr<SourceReader> source)
    : Encoder(std::move(source)),
      positions(options.stack.positions, options.d_model),
      norm(options.final_norm()),
      options_(options) {
  register_module("positions", positions);
  register_module("layers", layers);
  for (int64_t i = 0; i < options.stack.layers; ++i) layers->push_back(TransformerEncoderLayer(options));
  register_module("norm", norm);
}

Memory TransformerEncoder::encode(const SourceStates& source) {
  Tensor x = nn::activations(positions(source.states));  // [S, source, d_model]
  x = nn::dropout(x, options_.dropout, is_training());
  const int64_t length = source.states.size(1);
  const Tensor places = at::arange(length, source.tokens.options()).unsqueeze(0);
  nn::AttentionFrame frame = make_frame(options_, places, length, x);
  frame.mask = nn::AttentionMask::of_keys(source.real, x.scalar_type());
  for (const auto& layer : *layers) x = layer->as<TransformerEncoderLayerImpl>()->forward(x, frame);
  return {.states = norm(x), .mask = source.real, .tokens = source.tokens, .last = {}};
}
}  // namespace heed::models
