#include "heed/models/memory.h"

#include <algorithm>

#include <torch/torch.h>

namespace heed::models {
namespace {

/// [S, source, ...] with the source side filled up with zeros (false, padding).
Tensor lengthened(const Tensor& x, int64_t length) {
  if (x.size(1) == length) return x;
  std::vector<int64_t> padding(size_t(2 * (x.dim() - 1)), 0);
  padding.back() = length - x.size(1);
  return at::constant_pad_nd(x, padding);
}

Tensor joined(const Tensor& first, const Tensor& second) {
  const int64_t length = std::max(first.size(1), second.size(1));
  return at::cat({lengthened(first, length), lengthened(second, length)});
}

Tensor selected(const Tensor& x, const Tensor& sentences) {
  return x.defined() ? x.index_select(0, sentences) : Tensor();
}

}  // namespace

Memory Memory::select(const Tensor& sentences) const {
  Memory kept{.states = selected(states, sentences),
              .mask = selected(mask, sentences),
              .tokens = selected(tokens, sentences),
              .last = {}};
  for (const CellState& state : last) {
    kept.last.push_back({.hidden = selected(state.hidden, sentences), .cell = selected(state.cell, sentences)});
  }
  return kept;
}

Memory Memory::join(const Memory& other) const {
  TORCH_CHECK(last.size() == other.last.size(), "memories of different encoders cannot be joined");
  Memory both{.states = joined(states, other.states),
              .mask = joined(mask, other.mask),
              .tokens = joined(tokens, other.tokens),
              .last = {}};
  for (size_t i = 0; i < last.size(); ++i) {
    const bool has_cell = last[i].cell.defined();
    both.last.push_back({.hidden = at::cat({last[i].hidden, other.last[i].hidden}),
                         .cell = has_cell ? at::cat({last[i].cell, other.last[i].cell}) : Tensor()});
  }
  return both;
}

}  // namespace heed::models
