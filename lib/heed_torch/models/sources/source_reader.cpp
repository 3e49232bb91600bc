#include "heed_torch/models/sources/source_reader.h"

#include <utility>

#include <ATen/ATen.h>

#include "heed_torch/nn/masks.h"

namespace heed::models {

SourceReader::SourceReader(int64_t d_model, nn::TokenEmbedding embedding, bool borrowed,
                           std::shared_ptr<VectorReader> vectors)
    : d_model_(d_model), embedding_(std::move(embedding)), borrowed_(borrowed), vectors_(std::move(vectors)) {}

void SourceReader::register_in(torch::nn::Module& encoder) const {
  if (embedding_ && !borrowed_) encoder.register_module("embedding", embedding_);
  if (vectors_) encoder.register_module("vectors", vectors_);
}

SourceStates SourceReader::read(const Source& source) {
  TORCH_CHECK(
      source.tokens.defined() == !embedding_.is_empty() && source.vectors.values.defined() == (vectors_ != nullptr),
      "a source must have the parts that its model reads: tokens, vectors or both");
  if (!vectors_) return read_tokens(source.tokens);
  SourceStates vectors = vectors_->forward(source.vectors);
  return embedding_ ? joined(read_tokens(source.tokens), vectors) : vectors;
}

SourceStates SourceReader::read_tokens(const Tensor& tokens) {
  TORCH_CHECK(tokens.dim() == 2, "`source` must be [S, source], found ", tokens.sizes());
  return {.states = embedding_(tokens), .real = nn::real_tokens(tokens), .tokens = tokens};
}

SourceStates joined(const SourceStates& first, const SourceStates& second) {
  const Tensor states = at::cat({first.states, second.states}, 1), real = at::cat({first.real, second.real}, 1);
  const Tensor order = at::argsort(real.bitwise_not(), /*stable=*/true, 1, /*descending=*/false);  // moves real
                                                                                                   // positions to the
                                                                                                   // front
  return {.states = states.gather(1, order.unsqueeze(2).expand_as(states)),
          .real = real.gather(1, order),
          .tokens = at::cat({first.tokens, second.tokens}, 1).gather(1, order)};
}

}  // namespace heed::models
