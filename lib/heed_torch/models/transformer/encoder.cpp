#include "heed_torch/models/common/encoder.h"

#include <utility>

#include <ATen/ATen.h>
#include <torch/nn/modules/container/modulelist.h>

#include "heed_torch/models/transformer/encoder_layer.h"
#include "heed_torch/nn/positions/positions.h"
#include "heed_torch/nn/products/product.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

/// The Transformer encoder (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1): the source reader's
/// output and positions, then N equal layers.
class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const TransformerLayerOptions& options, std::shared_ptr<SourceReader> source);

  nn::Positions positions;
  torch::nn::ModuleList layers;  ///< TransformerEncoderLayer
  nn::Norm norm;                 ///< after the last layer; only with pre-norm

 protected:
  Memory encode(const SourceStates& source) override;

 private:
  TransformerLayerOptions options_;
};

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
  for (const auto& layer : *layers) {
    if (!skips_layer(options_, is_training())) x = layer->as<TransformerEncoderLayerImpl>()->forward(x, frame);
  }
  return {.states = norm(x), .mask = source.real, .tokens = source.tokens, .last = {}};
}

}  // namespace

std::shared_ptr<Encoder> make_encoder(const TransformerEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  const TransformerLayerOptions layer{.d_model = source->d_model(), .dropout = dropout, .stack = options.stack};
  return std::make_shared<TransformerEncoder>(layer, std::move(source));
}

}  // namespace heed::models
