#include "heed_torch/nn/recurrent/memory_tape.h"

#include <ATen/ATen.h>

#include "heed_torch/nn/masks.h"

namespace heed::nn {
namespace {

Tensor side_by_side(const Tensor& hidden, const Tensor& cell) {
  return cell.defined() ? at::cat({hidden, cell}, -1) : hidden;
}

}  // namespace

TapeAttentionImpl::TapeAttentionImpl(int64_t d_hidden) {
  const LinearOptions map{.in = d_hidden, .out = d_hidden, .bias = false};
  key = register_module("key", Linear(map));
  recall = register_module("recall", Linear(map));
  vector = register_parameter("vector", at::zeros({1, d_hidden}));
}

void TapeAttentionImpl::initialize(Initializer& values) { values.weight("vector", vector); }

TapeAttentionPass::TapeAttentionPass(TapeAttentionImpl& attention)
    : key_(attention.key), recall_(attention.recall), vector_(attention.vector) {}

MemoryTape TapeAttentionPass::begin(const Tensor& hidden, const Tensor& cell) const {
  const Tensor states = side_by_side(hidden, cell).unsqueeze(-2);
  return {.keys = key_(hidden).unsqueeze(-2),
          .states = states,
          .real = at::ones(states.sizes().slice(0, static_cast<size_t>(states.dim() - 1)),
                           states.options().dtype(at::kBool)),
          .recall = hidden};
}

Tensor TapeAttentionPass::recall(const MemoryTape& tape, const Tensor& x) const {
  const Tensor hidden = (tape.keys + (x + recall_(tape.recall)).unsqueeze(-2)).tanh();  // [..., n, d_hidden]
  const Tensor scores = at::matmul(hidden, vector_.t()).squeeze(-1);
  const double forbidden = AttentionMask::forbidden_score(scores.scalar_type());
  const Tensor weights = at::softmax(scores.masked_fill(tape.real.bitwise_not(), forbidden), -1);
  return at::matmul(weights.unsqueeze(-2), tape.states).squeeze(-2);
}

MemoryTape TapeAttentionPass::append(const MemoryTape& tape, const Tensor& hidden, const Tensor& cell,
                                     const Tensor& recalled) const {
  const MemoryTape last = begin(hidden, cell);
  return {.keys = at::cat({tape.keys, last.keys}, -2),
          .states = at::cat({tape.states, last.states}, -2),
          .real = at::cat({tape.real, last.real}, -1),
          .recall = recalled.narrow(-1, 0, hidden.size(-1))};
}

}  // namespace heed::nn
