#include "heed_torch/models/transformer/decoder.h"

#include <ATen/ATen.h>

#include "heed_torch/nn/products/product.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {

TransformerDecoder::TransformerDecoder(const TransformerDecoderOptions& options,
                                       const TransformerLayerOptions& of_layers,
                                       const std::optional<nn::AttentionOptions>& cross,
                                       const nn::TokenEmbedding& target)
    : embedding(target),
      positions(of_layers.stack.positions, of_layers.d_model),
      norm(of_layers.final_norm()),
      options_(options),
      layer_options_(of_layers),
      has_memory_(cross.has_value()) {
  register_module("embedding", embedding);
  register_module("positions", positions);
  register_module("layers", layers);
  for (int64_t i = 0; i < options.stack.layers; ++i) layers->push_back(TransformerDecoderLayer(of_layers, cross));
  register_module("norm", norm);
}

Decoded TransformerDecoder::forward(const Tensor& target, const Memory* memory, RequestedOutputs want) {
  TORCH_CHECK(target.dim() == 2, "`target` must be [S, target], found ", target.sizes());
  check_memory(memory, has_memory_);
  Tensor x = nn::activations(positions(embedding(target)));  // [S, target, d_model]
  x = nn::dropout(x, layer_options_.dropout, is_training());
  const Tensor places = at::arange(target.size(1), target.options()).unsqueeze(0);
  nn::AttentionFrame frame = make_frame(layer_options_, places, target.size(1), x);
  frame.mask = options_.causal_mask ? nn::AttentionMask::causal(target.size(1), x)
                                    : nn::AttentionMask::of_keys(nn::real_tokens(target), x.scalar_type());
  nn::AttentionMask memory_mask;
  if (memory) memory_mask = nn::AttentionMask::of_keys(memory->mask, x.scalar_type());
  const Tensor states = memory ? nn::activations(memory->states) : Tensor();
  std::vector<Tensor> weights;
  for (size_t i = 0; i < layers->size(); ++i) {
    if (!wants_weights(i, want) && skips_layer(layer_options_, is_training())) {
      weights.emplace_back();
      continue;
    }
    const auto projected = memory ? layer(i).cross_attention->project(states) : nn::KeysValues{};
    DecoderLayerOutput output = layer(i).forward(x, frame, {projected, &memory_mask, wants_weights(i, want)});
    x = output.states;
    weights.push_back(output.weights);
  }
  return finish(x, weights, want);
}

std::unique_ptr<DecoderState> TransformerDecoder::start(const Memory* memory, int64_t beam, int64_t sentences) {
  check_memory(memory, has_memory_);
  const int64_t count = memory ? memory->sentences() : sentences;
  std::vector<TransformerState::Layer> state_layers;
  for (size_t i = 0; i < layers->size(); ++i) {
    nn::KeysValues projected;
    if (memory) {
      projected = layer(i).cross_attention->project(nn::activations(memory->states));
      projected = {.keys = projected.keys.contiguous(), .values = projected.values.contiguous(), .stacked = {}};
    }
    state_layers.push_back({.tokens = nn::KeyValueCache(count * beam), .memory = projected});
  }
  const Tensor position = at::zeros({count}, embedding->weight.options().dtype(at::kLong));
  auto state = std::make_unique<TransformerState>(std::move(state_layers), position, beam);
  if (memory) state->memory_mask = nn::AttentionMask::of_keys(memory->mask, memory->states.scalar_type());
  return state;
}

Decoded TransformerDecoder::step(const Tensor& tokens, DecoderState& state, RequestedOutputs want) {
  auto& remembered = dynamic_cast<TransformerState&>(state);
  check_tokens(tokens, state);
  TORCH_CHECK(tokens.size(1) == remembered.beam(), "`tokens` must be of beam ", remembered.beam(), ", found ",
              tokens.sizes());
  Tensor x = nn::activations(positions->at_position(embedding(tokens), state.position));  // [S, beam, d_model]
  x = nn::dropout(x, layer_options_.dropout, is_training());
  const Tensor places = state.position.repeat_interleave(remembered.beam()).unsqueeze(1);  // [S * beam, 1]
  nn::AttentionFrame frame = make_frame(layer_options_, places, remembered.columns() + 1, x);
  frame.mask = remembered.columns_mask(x);
  std::vector<Tensor> weights;
  for (size_t i = 0; i < layers->size(); ++i) {
    TransformerState::Layer& past = remembered.layers[i];
    const MemoryView view{past.memory, &remembered.memory_mask, wants_weights(i, want)};
    DecoderLayerOutput output = layer(i).step(x, past.tokens, frame, view);
    x = output.states;
    weights.push_back(output.weights);
  }
  remembered.advance();
  return finish(x, weights, want);
}

TransformerDecoderLayerImpl& TransformerDecoder::layer(size_t i) {
  return *layers->ptr<TransformerDecoderLayerImpl>(i);
}

bool TransformerDecoder::wants_weights(size_t i, const RequestedOutputs& want) const {
  return has_memory_ &&
         (want.all_attention || (want.attention && static_cast<int64_t>(i) == options_.alignment_layer()));
}

Decoded TransformerDecoder::finish(const Tensor& states, const std::vector<Tensor>& weights,
                                   const RequestedOutputs& want) {
  Decoded decoded{.hidden = nn::dropout(norm(states), options_.output_dropout, is_training()),
                  .attention = {},
                  .all_attention = {}};
  if (!has_memory_) return decoded;
  if (want.attention) {
    const Tensor& heads = weights[static_cast<size_t>(options_.alignment_layer())];  // [S, heads, target, source]
    const auto head = options_.alignment_head();
    decoded.attention = head ? heads.select(1, *head) : heads.mean(1);
  }
  if (want.all_attention) decoded.all_attention = weights;
  return decoded;
}

}  // namespace heed::models
