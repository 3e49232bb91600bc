#include "heed_torch/models/rnn/decoder_state.h"

#include <ATen/ATen.h>

#include "heed_torch/models/common/rows.h"

namespace heed::models {

void RnnState::select(const Selection& going_on) {
  going_on.check_beam(at.layers.front().hidden.size(1));
  const Tensor& sentences = going_on.sentences();
  if (!going_on.keeps_sentences(position.size(0))) {
    memory = {.states = selected(memory.states, sentences),
              .keys = selected(memory.keys, sentences),
              .real = selected(memory.real, sentences)};
  }
  position = position.index_select(0, sentences);
  const auto continue_parents = [&](const Tensor& x) { return continued(x, going_on); };
  for (CellState& layer : at.layers) {
    layer = {.hidden = continue_parents(layer.hidden),
             .cell = continue_parents(layer.cell),
             .tape = {.keys = continue_parents(layer.tape.keys),
                      .states = continue_parents(layer.tape.states),
                      .real = continue_parents(layer.tape.real),
                      .recall = continue_parents(layer.tape.recall)}};
  }
  at.feed = continue_parents(at.feed);
  at.coverage = continue_parents(at.coverage);
}

void RnnState::join(DecoderState&& admitted) {
  auto& other = dynamic_cast<RnnState&>(admitted);
  TORCH_CHECK(other.at.layers.size() == at.layers.size(), "only states of the same decoder can be joined");
  for (size_t i = 0; i < at.layers.size(); ++i) {
    CellState& layer = at.layers[i];
    const CellState& fresh = other.at.layers[i];
    layer = {.hidden = joined(layer.hidden, fresh.hidden),
             .cell = joined(layer.cell, fresh.cell),
             .tape = {.keys = joined(layer.tape.keys, fresh.tape.keys, 2),
                      .states = joined(layer.tape.states, fresh.tape.states, 2),
                      .real = joined(layer.tape.real, fresh.tape.real, 2, false),
                      .recall = joined(layer.tape.recall, fresh.tape.recall)}};
  }
  at.feed = joined(at.feed, other.at.feed);
  at.coverage = joined(at.coverage, other.at.coverage, 2);
  memory = {.states = joined(memory.states, other.memory.states, 1),
            .keys = joined(memory.keys, other.memory.keys, 1),
            .real = joined(memory.real, other.memory.real, 1, false)};
  position = at::cat({position, other.position});
}

}  // namespace heed::models
