#include "heed_torch/nn/recurrent/layer.h"

#include <vector>

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include "heed_torch/nn/products/product.h"

namespace heed::nn {
namespace {

/// `yes`, the state after one more step, where the step's token is real; else `no`, the state before. real: bool [S,
/// 1].
CellState where(const Tensor& real, const CellState& yes, const CellState& no) {
  CellState state{.hidden = at::where(real, yes.hidden, no.hidden),
                  .cell = yes.cell.defined() ? at::where(real, yes.cell, no.cell) : Tensor(),
                  .tape = yes.tape};
  if (!state.tape.defined()) return state;
  state.tape.recall = at::where(real, yes.tape.recall, no.tape.recall);
  state.tape.real = at::cat({no.tape.real, real}, -1);
  return state;
}

/// Whether at::lstm computes the same as the loop.
bool fused_applies(const RecurrentCellOptions& cell, const RecurrentInput& input) {
  const Tensor& x = input.x;
  const bool plain = cell.kind == CellKind::Lstm && !cell.layer_norm && !cell.memory_tape && cell.d_extra == 0;
  if (!plain || input.real.defined() || x.scalar_type() != at::kFloat || rounds_products()) return false;
  return (x.is_cpu() || x.is_cuda()) && !at::autocast::is_autocast_enabled(x.device().type());
}

struct Lstm {
  Tensor states, hidden, cell;  // [length, S, d]; the last states are [1, S, d] each
};

/// at::lstm for one layer. x: [length, S, d_input]; hidden and cell: [1, S, d]; weights: in the order that it needs.
Lstm lstm(const Tensor& x, const Tensor& hidden, const Tensor& cell, const std::vector<Tensor>& weights) {
  const auto [states, last_hidden, last_cell] =
      at::lstm(x, {hidden, cell}, weights, /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0,
               /*train=*/at::GradMode::is_enabled(), /*bidirectional=*/false, /*batch_first=*/false);
  return {states, last_hidden, last_cell};
}

/// The same with cuDNN, which needs the weights in one block of memory. at::lstm would also copy them there, but prints
/// a warning each time.
Lstm cudnn_lstm(const Tensor& x, const Tensor& hidden, const Tensor& cell, const std::vector<Tensor>& weights) {
  constexpr int64_t kLstm = 2, kTensorsOfLayer = 4;  // numbering of cuDNN and LibTorch
  const int64_t d = hidden.size(-1);
  const Tensor piece = [&] {
    const at::NoGradGuard no_grad;
    std::vector<Tensor> copies;  // become views of the block
    for (const Tensor& weight : weights) copies.push_back(weight.detach().clone());
    return at::_cudnn_rnn_flatten_weight(copies, kTensorsOfLayer, x.size(-1), kLstm, d, /*proj_size=*/0,
                                         /*num_layers=*/1, /*batch_first=*/false, /*bidirectional=*/false);
  }();
  const auto found =
      at::_cudnn_rnn(x, weights, kTensorsOfLayer, piece, hidden, cell, kLstm, d, /*proj_size=*/0, /*num_layers=*/1,
                     /*batch_first=*/false, /*dropout=*/0, /*train=*/at::GradMode::is_enabled(),
                     /*bidirectional=*/false, /*batch_sizes=*/{}, /*dropout_state=*/{});
  return {std::get<0>(found), std::get<1>(found), std::get<2>(found)};
}

RecurrentOutput read_fused(RecurrentCellImpl& cell, const Tensor& x, const CellState& first, bool backwards) {
  const Tensor no_bias = at::zeros_like(cell.input->bias);
  const auto& read = x.is_cuda() ? cudnn_lstm : lstm;
  const auto [states, hidden, last] =
      read(backwards ? x.flip(0) : x, first.hidden.unsqueeze(0), first.cell.unsqueeze(0),
           {cell.input->weight, cell.recurrent->weight, cell.input->bias, no_bias});
  return {.states = backwards ? states.flip(0) : states, .last = {.hidden = hidden[0], .cell = last[0]}};
}

RecurrentOutput read_by_loop(RecurrentCellImpl& cell, const RecurrentInput& input, const CellState& first,
                             bool backwards) {
  const auto projected = cell.project_both(input.x, input.extra).unbind(0);
  const auto is_real = input.real.defined() ? input.real.unbind(0) : std::vector<Tensor>();
  const RecurrentCellPass pass = cell.begin();
  CellState state = pass.first(first);
  std::vector<Tensor> states(projected.size());
  for (size_t i = 0; i < projected.size(); ++i) {
    const size_t t = backwards ? projected.size() - 1 - i : i;
    const CellState next = pass.step(projected[t], state);
    state = input.real.defined() ? where(is_real[t], next, state) : next;
    states[t] = state.hidden;
  }
  return {.states = at::stack(states), .last = {.hidden = state.hidden, .cell = state.cell}};
}

}  // namespace

RecurrentOutput read_steps(RecurrentCellImpl& cell, const RecurrentInput& input, const CellState& first,
                           bool backwards) {
  const CellState begin = first.hidden.defined() ? first : cell.zero_state(input.x.size(1), input.x);
  return fused_applies(cell.options(), input) ? read_fused(cell, input.x, begin, backwards)
                                              : read_by_loop(cell, input, begin, backwards);
}

RecurrentLayerImpl::RecurrentLayerImpl(const RecurrentLayerOptions& options) : options_(options) {
  if (options.direction != Direction::Backward) {
    forward_cell = register_module("forward_cell", RecurrentCell(options.cell));
  }
  if (options.direction != Direction::Forward) {
    backward_cell = register_module("backward_cell", RecurrentCell(options.cell));
  }
}

RecurrentOutput RecurrentLayerImpl::forward(const Tensor& x, const Tensor& real, const CellState& first) {
  TORCH_CHECK(x.dim() == 3 && x.size(1) > 0, "`x` must be [S, length, d_input] with a position, found ", x.sizes());
  TORCH_CHECK(!first.hidden.defined() || options_.direction != Direction::Both, "two directions begin with zeros");
  const RecurrentInput by_step{.x = x.transpose(0, 1).contiguous(),
                               .real = real.defined() ? real.t().unsqueeze(2) : real};
  std::vector<RecurrentOutput> read_ways;
  if (forward_cell) read_ways.push_back(read_steps(*forward_cell, by_step, first));
  if (backward_cell) read_ways.push_back(read_steps(*backward_cell, by_step, first, /*backwards=*/true));
  RecurrentOutput output = read_ways.front();
  if (read_ways.size() == 2) {
    const auto side_by_side = [](const Tensor& a, const Tensor& b) { return a.defined() ? at::cat({a, b}, -1) : a; };
    const RecurrentOutput& other = read_ways.back();
    output = {.states = side_by_side(output.states, other.states),
              .last = {.hidden = side_by_side(output.last.hidden, other.last.hidden),
                       .cell = side_by_side(output.last.cell, other.last.cell)}};
  }
  output.states = output.states.transpose(0, 1);
  return output;
}

}  // namespace heed::nn
