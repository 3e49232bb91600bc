#include "heed/models/memory.h"

#include <torch/torch.h>

#include "heed/models/rows.h"

namespace heed::models {

Memory Memory::select(const Tensor& sentences) const {
  Memory kept{.states = selected(states, sentences),
              .embedded = selected(embedded, sentences),
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
  Memory both{.states = joined(states, other.states, 1),
              .embedded = joined(embedded, other.embedded, 1),
              .mask = joined(mask, other.mask, 1, false),
              .tokens = joined(tokens, other.tokens, 1),
              .last = {}};
  for (size_t i = 0; i < last.size(); ++i) {
    both.last.push_back({.hidden = joined(last[i].hidden, other.last[i].hidden),
                         .cell = joined(last[i].cell, other.last[i].cell)});
  }
  return both;
}

}  // namespace heed::models
