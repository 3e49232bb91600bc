#include "heed/models/rnn/decoder_state.h"

#include <torch/torch.h>

#include "heed/models/rows.h"

namespace heed::models {

void RnnState::select(const Tensor& sentences, const Tensor& parents) {
  const int64_t beam = at.layers.front().hidden.size(1);
  TORCH_CHECK(parents.dim() == 2 && parents.size(0) == sentences.size(0) && parents.size(1) == beam,
              "`parents` must be [", sentences.size(0), ", ", beam, "], found ", parents.sizes());
  if (!keeps_all(sentences, position.size(0))) {
    memory = {.states = selected(memory.states, sentences),
              .keys = selected(memory.keys, sentences),
              .real = selected(memory.real, sentences)};
  }
  const Tensor rows = (sentences.unsqueeze(1) * beam + parents).flatten();  // [S' * beam]
  position = position.index_select(0, sentences);
  const auto continued = [&](const Tensor& x) {
    return x.defined() ? x.flatten(0, 1).index_select(0, rows).unflatten(0, {sentences.size(0), beam}) : x;
  };
  for (CellState& layer : at.layers) layer = {.hidden = continued(layer.hidden), .cell = continued(layer.cell)};
  at.feed = continued(at.feed);
}

void RnnState::join(DecoderState&& admitted) {
  auto& other = dynamic_cast<RnnState&>(admitted);
  TORCH_CHECK(other.at.layers.size() == at.layers.size(), "only states of the same decoder can be joined");
  for (size_t i = 0; i < at.layers.size(); ++i) {
    CellState& layer = at.layers[i];
    layer = {.hidden = joined(layer.hidden, other.at.layers[i].hidden),
             .cell = joined(layer.cell, other.at.layers[i].cell)};
  }
  at.feed = joined(at.feed, other.at.feed);
  memory = {.states = joined(memory.states, other.memory.states, 1),
            .keys = joined(memory.keys, other.memory.keys, 1),
            .real = joined(memory.real, other.memory.real, 1, false)};
  position = at::cat({position, other.position});
}

}  // namespace heed::models
