#include "heed_torch/models/rnn/initial_state.h"

#include <ATen/ATen.h>

namespace heed::models {
namespace {

/// The mean over the real positions, float [S, d_memory].
Tensor mean_state(const Memory& memory) {
  const Tensor real = memory.mask.unsqueeze(2).to(memory.states.scalar_type());
  return (memory.states * real).sum(1) / real.sum(1).clamp_min(1);
}

/// The members of all layers concatenated, float [S, sum of widths].
Tensor side_by_side(const std::vector<CellState>& states, Tensor CellState::* member) {
  std::vector<Tensor> parts;
  for (const CellState& state : states) parts.push_back(state.*member);
  return at::cat(parts, -1);
}

}  // namespace

InitialStateImpl::InitialStateImpl(const RnnDecoderOptions& options, const MemoryShape& memory)
    : options_(options.initial_state), stack_(options.stack) {
  const int64_t in = initial_state_input(options, memory);
  if (in == 0) return;
  const nn::LinearOptions map{.in = in, .out = stack_.layers * stack_.hidden, .stacked = stack_.layers};
  hidden = register_module("hidden", nn::Linear(map));
  if (stack_.cell == nn::CellKind::Lstm) cell = register_module("cell", nn::Linear(map));
}

std::vector<CellState> InitialStateImpl::mapped(const Tensor& from_hidden, const Tensor& from_cell) {
  const auto layers = static_cast<size_t>(stack_.layers);
  const auto hiddens = hidden(from_hidden).tanh().chunk(stack_.layers, -1);
  const auto cells = cell ? cell(from_cell).tanh().chunk(stack_.layers, -1) : std::vector<Tensor>(layers);
  std::vector<CellState> states(layers);
  for (size_t i = 0; i < layers; ++i) states[i] = {.hidden = hiddens[i], .cell = cells[i]};
  return states;
}

std::vector<CellState> InitialStateImpl::forward(const Memory& memory) {
  if (std::holds_alternative<LastState>(options_)) return memory.last;
  if (std::holds_alternative<MeanState>(options_)) {
    const Tensor mean = mean_state(memory);
    return mapped(mean, mean);
  }
  if (std::holds_alternative<BridgeState>(options_)) {
    const Tensor last = side_by_side(memory.last, &CellState::hidden);
    const bool has_cells = memory.last.front().cell.defined();
    return mapped(last, has_cells ? side_by_side(memory.last, &CellState::cell) : last);
  }
  const Tensor zeros = at::zeros({memory.sentences(), stack_.hidden}, memory.states.options());
  const CellState zero{.hidden = zeros, .cell = stack_.cell == nn::CellKind::Lstm ? zeros : Tensor()};
  return std::vector<CellState>(static_cast<size_t>(stack_.layers), zero);
}

}  // namespace heed::models
