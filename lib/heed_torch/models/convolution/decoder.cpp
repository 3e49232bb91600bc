#include "heed_torch/models/convolution/decoder.h"

#include <cmath>

#include <ATen/ATen.h>

#include "heed_torch/nn/masks.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

const double kHalf = std::sqrt(0.5);  // keeps the variance of a sum of two terms

/// x, with its gradient divided by `parts`, the number of attentions that read the encoder's layers (section 3.4).
Tensor with_gradient_shared(const Tensor& x, size_t parts) {
  const double share = 1 / static_cast<double>(parts);
  return x * share + (x * (1 - share)).detach();
}

}  // namespace

ConvolutionDecoderLayerImpl::ConvolutionDecoderLayerImpl(const ConvolutionStackOptions& options, int64_t d_model,
                                                         bool attends)
    : convolution(nn::GatedConvolutionOptions{.d_model = options.hidden, .kernel = options.kernel, .causal = true}) {
  register_module("convolution", convolution);
  if (!attends) return;
  query = register_module("query", nn::Linear(nn::LinearOptions{.in = options.hidden, .out = d_model}));
  context = register_module("context", nn::Linear(nn::LinearOptions{.in = d_model, .out = options.hidden}));
}

ConvolutionDecoderLayerImpl::Output ConvolutionDecoderLayerImpl::finish(const Tensor& x, const Tensor& convolved,
                                                                        const Tensor& embedded,
                                                                        const ConvolutionMemory& memory) {
  if (!query) return {.states = (convolved + x) * kHalf, .weights = {}};
  const Tensor asked = (query(convolved) + embedded) * kHalf;         // [S, rows, d_model]
  const Tensor scores = at::bmm(asked, memory.keys.transpose(1, 2));  // [S, rows, source]
  const Tensor forbidden = memory.real.bitwise_not();
  const double least = nn::AttentionMask::forbidden_score(scores.scalar_type());
  const Tensor weights = at::softmax(scores.masked_fill(forbidden, least), -1).masked_fill(forbidden, 0);
  const Tensor looked = at::bmm(weights, memory.values) * memory.lengths.sqrt();
  return {.states = ((convolved + context(looked)) * kHalf + x) * kHalf, .weights = weights};
}

ConvolutionDecoder::ConvolutionDecoder(const ConvolutionDecoderOptions& options, double dropout, int64_t d_memory,
                                       const nn::TokenEmbedding& target)
    : embedding(target),
      positions(nn::LearnedPositions{.max_length = options.stack.max_length}, target->options().d_model),
      input(nn::LinearOptions{.in = target->options().d_model, .out = options.stack.hidden}),
      output(nn::LinearOptions{.in = options.stack.hidden, .out = target->options().d_model}),
      dropout_(dropout),
      has_memory_(d_memory > 0) {
  const int64_t d_model = embedding->options().d_model;
  register_module("embedding", embedding);
  register_module("positions", positions);
  register_module("input", input);
  if (has_memory_ && d_memory != d_model) {
    memory_map = register_module("memory_map", nn::Linear(nn::LinearOptions{.in = d_memory, .out = d_model}));
  }
  register_module("layers", layers);
  for (int64_t i = 0; i < options.stack.layers; ++i) {
    layers->push_back(ConvolutionDecoderLayer(options.stack, d_model, has_memory_));
  }
  register_module("output", output);
}

ConvolutionMemory ConvolutionDecoder::attend_to(const Memory* memory) {
  check_memory(memory, has_memory_);
  if (!memory) return {};
  const Tensor states = with_gradient_shared(memory->states, layers->size());
  const Tensor keys = memory_map ? memory_map(states) : states;
  const Tensor real = memory->mask.unsqueeze(1);
  return {.keys = keys,
          .values = memory->embedded.defined() ? (keys + memory->embedded) * kHalf : keys,
          .real = real,
          .lengths = real.sum(2, /*keepdim=*/true).to(keys.scalar_type())};
}

Tensor ConvolutionDecoder::dropped(const Tensor& x) const { return nn::dropout(x, dropout_, is_training()); }

Decoded ConvolutionDecoder::forward(const Tensor& target, const Memory* memory, RequestedOutputs want) {
  TORCH_CHECK(target.dim() == 2, "`target` must be [S, target], found ", target.sizes());
  const ConvolutionMemory attended = attend_to(memory);
  const Tensor embedded = dropped(positions(embedding(target)));  // [S, target, d_model]
  Tensor x = input(embedded);                                     // [S, target, hidden]
  std::vector<Tensor> weights;
  for (const auto& each : *layers) {
    auto& layer = *each->as<ConvolutionDecoderLayerImpl>();
    auto made = layer.finish(x, layer.convolution(dropped(x)), embedded, attended);
    x = made.states;
    weights.push_back(made.weights);
  }
  return finish(x, weights, want);
}

std::unique_ptr<DecoderState> ConvolutionDecoder::start(const Memory* memory, int64_t beam, int64_t sentences) {
  auto state = std::make_unique<ConvolutionState>();
  state->memory = attend_to(memory);
  const int64_t count = memory ? memory->sentences() : sentences;
  state->position = at::zeros({count}, embedding->weight.options().dtype(at::kLong));
  for (const auto& each : *layers) {
    const auto& layer = each->as<ConvolutionDecoderLayerImpl>()->convolution->options();
    state->past.push_back(at::zeros({count, beam, layer.kernel - 1, layer.d_model}, embedding->weight.options()));
  }
  return state;
}

Decoded ConvolutionDecoder::step(const Tensor& tokens, DecoderState& state, RequestedOutputs want) {
  auto& remembered = dynamic_cast<ConvolutionState&>(state);
  check_tokens(tokens, state);
  const Tensor embedded = dropped(positions->at_position(embedding(tokens), state.position));  // [S, beam, d_model]
  Tensor x = input(embedded);
  std::vector<Tensor> weights;
  for (size_t i = 0; i < layers->size(); ++i) {
    auto& layer = *layers->ptr<ConvolutionDecoderLayerImpl>(i);
    const Tensor convolved = layer.convolution->step(dropped(x), remembered.past[i]);
    auto made = layer.finish(x, convolved, embedded, remembered.memory);
    x = made.states;
    weights.push_back(made.weights);
  }
  state.position = state.position + 1;
  return finish(x, weights, want);
}

Decoded ConvolutionDecoder::finish(const Tensor& x, const std::vector<Tensor>& weights, const RequestedOutputs& want) {
  Decoded decoded{.hidden = dropped(output(x)), .attention = {}, .all_attention = {}};
  if (!has_memory_) return decoded;
  if (want.attention) decoded.attention = weights.back();
  if (!want.all_attention) return decoded;
  for (const Tensor& of_layer : weights) decoded.all_attention.push_back(of_layer.unsqueeze(1));
  return decoded;
}

}  // namespace heed::models
