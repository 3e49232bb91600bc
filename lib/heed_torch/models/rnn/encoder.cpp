#include "heed_torch/models/rnn/encoder.h"

#include <utility>

#include <ATen/ATen.h>

#include "heed_torch/nn/random/dropout.h"

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

std::shared_ptr<Encoder> make_encoder(const RnnEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  return std::make_shared<RnnEncoder>(options, dropout, std::move(source));
}

RnnEncoder::RnnEncoder(const RnnEncoderOptions& options, double dropout, std::shared_ptr<SourceReader> source)
    : Encoder(std::move(source)), options_(options), dropout_(dropout) {
  register_module("layers", layers);
  int64_t width = reader().d_model();
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

Memory RnnEncoder::encode(const SourceStates& source) {
  const Tensor& real = source.real;
  const bool padded = !real.is_cpu() || !real.all().item<bool>();  // on other devices, asking would wait for the device
  Memory memory{.states = source.states, .mask = real, .tokens = source.tokens, .last = {}};
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
