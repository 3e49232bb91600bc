#include "heed/models/rnn/encoder.h"

#include <ATen/ATen.h>

#include "heed/nn/masks.h"
#include "heed/nn/random/dropout.h"

namespace heed::models {
namespace {

nn::Direction direction_of(EncoderDirection direction, int64_t layer) {
  switch (direction) {
    case EncoderDirection::Both:
      return nn::Direction::Both;
    case EncoderDirection::Backward:
      return nn::Direction::Backward;
    case EncoderDirection::BothFirst:
      return layer == 0 ? nn::Direction::Both : nn::Direction::Forward;
    case EncoderDirection::Forward:
      break;
  }
  return nn::Direction::Forward;
}

}  // namespace

std::shared_ptr<Encoder> make_encoder(const RnnEncoderOptions& options, double dropout, const SourceEmbedding& source) {
  return std::make_shared<RnnEncoder>(options, dropout, source);
}

RnnEncoder::RnnEncoder(const RnnEncoderOptions& options, double dropout, const SourceEmbedding& source)
    : embedding(source.embedding), options_(options), dropout_(dropout) {
  if (!source.borrowed) register_module("embedding", embedding);
  register_module("layers", layers);
  int64_t width = embedding->options().d_model;
  for (int64_t i = 0; i < options.stack.layers; ++i) {
    const nn::RecurrentLayerOptions layer{.cell = {.d_input = width,
                                                   .d_hidden = options.stack.hidden,
                                                   .kind = options.stack.cell,
                                                   .memory_tape = options.stack.memory_tape,
                                                   .layer_norm = options.stack.layer_norm},
                                          .direction = direction_of(options.direction, i)};
    layers->push_back(nn::RecurrentLayer(layer));
    width = layer.d_output();
  }
}

Memory RnnEncoder::forward(const Tensor& source) {
  TORCH_CHECK(source.dim() == 2, "`source` must be [S, source], found ", source.sizes());
  const Tensor real = nn::real_tokens(source);
  const bool padded = !source.is_cpu() || !real.all().item<bool>();  // elsewhere the answer would have to be waited for
  Memory memory{.states = embedding(source), .mask = real, .tokens = source, .last = {}};
  for (size_t i = 0; i < layers->size(); ++i) {
    const Tensor below = memory.states;  // [S, source, d_input]
    const Tensor x = nn::dropout(below, dropout_, is_training());
    nn::RecurrentOutput output = layers->ptr<nn::RecurrentLayerImpl>(i)->forward(x, padded ? real : Tensor());
    const bool adds = options_.stack.residual && i > 0 && x.size(-1) == output.states.size(-1);
    memory.states = adds ? below + output.states : output.states;
    memory.last.push_back(output.last);
  }
  return memory;
}

}  // namespace heed::models
