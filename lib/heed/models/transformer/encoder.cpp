#include "heed/models/transformer/encoder.h"

#include <ATen/ATen.h>

#include "heed/models/transformer/encoder_layer.h"
#include "heed/nn/random/dropout.h"

namespace heed::models {

std::shared_ptr<Encoder> make_encoder(const TransformerEncoderOptions& options, double dropout,
                                      const SourceEmbedding& source) {
  return std::make_shared<TransformerEncoder>(
      TransformerLayerOptions{
          .d_model = source.embedding->options().d_model, .dropout = dropout, .stack = options.stack},
      source);
}

TransformerEncoder::TransformerEncoder(const TransformerLayerOptions& options, const SourceEmbedding& source)
    : embedding(source.embedding),
      positions(options.stack.positions, options.d_model),
      norm(options.final_norm()),
      options_(options) {
  if (!source.borrowed) register_module("embedding", embedding);
  register_module("positions", positions);
  register_module("layers", layers);
  for (int64_t i = 0; i < options.stack.layers; ++i) layers->push_back(TransformerEncoderLayer(options));
  register_module("norm", norm);
}

Memory TransformerEncoder::forward(const Tensor& source) {
  TORCH_CHECK(source.dim() == 2, "`source` must be [S, source], found ", source.sizes());
  const Tensor real = nn::real_tokens(source);
  Tensor x = nn::dropout(positions(embedding(source)), options_.dropout, is_training());  // [S, source, d_model]
  const Tensor places = at::arange(source.size(1), source.options()).unsqueeze(0);
  nn::AttentionFrame frame = make_frame(options_, places, source.size(1), x);
  frame.mask = nn::AttentionMask::of_keys(real, x.scalar_type());
  for (const auto& layer : *layers) x = layer->as<TransformerEncoderLayerImpl>()->forward(x, frame);
  return {.states = norm(x), .mask = real, .tokens = source, .last = {}};
}

std::optional<int64_t> TransformerEncoder::max_length() const { return positions->max_length(); }

}  // namespace heed::models
