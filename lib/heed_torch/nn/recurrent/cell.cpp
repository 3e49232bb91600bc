#include "heed_torch/nn/recurrent/cell.h"

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

LinearOptions stacked(const RecurrentCellOptions& options, int64_t in, bool bias) {
  const int64_t gates = gates_of(options.kind);
  return {.in = in, .out = gates * options.d_hidden, .bias = bias, .stacked = gates};
}

/// An LSTM's forget gate that starts open lets gradients through from the first step of training on (Jozefowicz et al.
/// 2015, https://proceedings.mlr.press/v37/jozefowicz15.html, section 2.2).
LinearOptions input_options(const RecurrentCellOptions& options) {
  LinearOptions made = stacked(options, options.d_input, !options.layer_norm);
  if (options.memory_tape) {
    made.stacked += 1;
    made.out += options.d_hidden;
  }
  if (made.bias && options.kind == CellKind::Lstm) {
    made.initial_bias = {0, 1, 0, 0};
    made.initial_bias.resize(static_cast<size_t>(made.stacked), 0);
  }
  return made;
}

/// gru: d must stay within the product with the reset gate, so it is the bias of the recurrent projection.
bool has_recurrent_bias(const RecurrentCellOptions& options) {
  return options.kind == CellKind::Gru && !options.layer_norm;
}

constexpr const char* kBothInputs = "a cell gets its second input exactly if it has one";

Tensor normalized(Norm norm, const Tensor& x) { return norm ? norm->forward(x) : x; }

/// Gates r and z are the first two thirds of the rows, the candidate n is the rest.
Tensor gate_rows(const Tensor& weight) { return weight.narrow(0, 0, weight.size(0) / 3 * 2); }
Tensor candidate_rows(const Tensor& weight) { return weight.narrow(0, weight.size(0) / 3 * 2, weight.size(0) / 3); }

}  // namespace

RecurrentCellImpl::RecurrentCellImpl(const RecurrentCellOptions& options)
    : input(input_options(options)),
      recurrent(stacked(options, options.d_hidden, has_recurrent_bias(options))),
      options_(options) {
  register_module("input", input);
  register_module("recurrent", recurrent);
  if (options.d_extra > 0) extra = register_module("extra", Linear(stacked(options, options.d_extra, false)));
  if (options.memory_tape) tape = register_module("tape", TapeAttention(options.d_hidden));
  if (!options.layer_norm) return;
  const int64_t gates = gates_of(options.kind);
  const bool apart = options.kind == CellKind::GruCho;
  input_norm = add_norm("input_norm", gates);
  recurrent_norm = add_norm("recurrent_norm", apart ? gates - 1 : gates);
  if (apart) candidate_norm = add_norm("candidate_norm", 1);
  if (extra) extra_norm = add_norm("extra_norm", gates);
  if (options.kind == CellKind::Lstm) cell_norm = add_norm("cell_norm", 1);
}

Norm RecurrentCellImpl::add_norm(const std::string& name, int64_t gates) {
  return register_module(name, Norm(NormOptions{.d_model = gates * options_.d_hidden}));
}

Tensor RecurrentCellImpl::project(const Tensor& x) { return normalized_sums(input(x)); }

Tensor RecurrentCellImpl::normalized_sums(const Tensor& projected) {
  return input_norm ? with_sums(input_norm(sums_of(projected)), projected) : projected;
}

Tensor RecurrentCellImpl::sums_of(const Tensor& projected) const {
  return tape ? projected.narrow(-1, 0, gates_of(options_.kind) * options_.d_hidden) : projected;
}

Tensor RecurrentCellImpl::tape_part_of(const Tensor& projected) const {
  return projected.narrow(-1, gates_of(options_.kind) * options_.d_hidden, options_.d_hidden);
}

Tensor RecurrentCellImpl::with_sums(const Tensor& sums, const Tensor& projected) const {
  return tape ? at::cat({sums, tape_part_of(projected)}, -1) : sums;
}

Tensor RecurrentCellImpl::project_both(const Tensor& x, const Tensor& second) {
  TORCH_CHECK(second.defined() == !extra.is_empty(), kBothInputs);
  const Tensor projected = project(x);
  if (!second.defined()) return projected;
  return with_sums(sums_of(projected) + normalized(extra_norm, extra(second)), projected);
}

CellState RecurrentCellImpl::zero_state(int64_t rows, const Tensor& like) const {
  const Tensor zeros = at::zeros({rows, options_.d_hidden}, like.options());
  return {.hidden = zeros, .cell = options_.kind == CellKind::Lstm ? zeros : Tensor()};
}

RecurrentCellPass::RecurrentCellPass(RecurrentCellImpl& cell)
    : cell_(cell),
      recurrent_(cell.options().kind == CellKind::GruCho ? gate_rows(cell.recurrent->weight) : cell.recurrent->weight,
                 cell.recurrent->bias),
      input_(cell.input) {
  if (cell.options().kind == CellKind::GruCho) candidate_.emplace(candidate_rows(cell.recurrent->weight));
  if (cell.extra) extra_.emplace(cell.extra);
  if (cell.tape) tape_.emplace(*cell.tape);
}

Tensor RecurrentCellPass::input(const Tensor& x) const { return cell_.normalized_sums(input_(x)); }

CellState RecurrentCellPass::first(const CellState& state) const {
  CellState begun{.hidden = state.hidden, .cell = state.cell};
  if (tape_) begun.tape = tape_->begin(state.hidden, state.cell);
  return begun;
}

CellState RecurrentCellPass::operator()(const Tensor& projected, const CellState& before, const Tensor& extra) const {
  TORCH_CHECK(extra.defined() == extra_.has_value(), kBothInputs);
  const Tensor sums = cell_.sums_of(projected);
  return go_on(extra_ ? sums + normalized(cell_.extra_norm, (*extra_)(extra)) : sums, projected, before);
}

CellState RecurrentCellPass::step(const Tensor& projected, const CellState& before) const {
  return go_on(cell_.sums_of(projected), projected, before);
}

CellState RecurrentCellPass::go_on(const Tensor& sums, const Tensor& projected, const CellState& before) const {
  if (!tape_) return next(sums, before);
  const int64_t d_hidden = cell_.options().d_hidden;
  const Tensor recalled = tape_->recall(before.tape, cell_.tape_part_of(projected));
  const CellState mixed{.hidden = recalled.narrow(-1, 0, d_hidden),
                        .cell = before.cell.defined() ? recalled.narrow(-1, d_hidden, d_hidden) : Tensor()};
  CellState after = next(sums, mixed);
  after.tape = tape_->append(before.tape, after.hidden, after.cell, recalled);
  return after;
}

CellState RecurrentCellPass::next(const Tensor& from_input, const CellState& before) const {
  switch (cell_.options().kind) {
    case CellKind::Gru:
      return gru(from_input, before);
    case CellKind::GruCho:
      return gru_cho(from_input, before);
    case CellKind::Lstm:
    case CellKind::Tanh:
    case CellKind::Relu:
      break;
  }
  const Tensor sums = from_input + normalized(cell_.recurrent_norm, recurrent_(before.hidden));
  if (cell_.options().kind == CellKind::Lstm) return lstm(sums, before);
  return {.hidden = cell_.options().kind == CellKind::Tanh ? sums.tanh() : sums.relu(), .cell = {}};
}

CellState RecurrentCellPass::lstm(const Tensor& sums, const CellState& before) const {
  const auto gates = sums.chunk(4, -1);
  const Tensor cell = gates[1].sigmoid() * before.cell + gates[0].sigmoid() * gates[2].tanh();
  return {.hidden = gates[3].sigmoid() * normalized(cell_.cell_norm, cell).tanh(), .cell = cell};
}

CellState RecurrentCellPass::gru(const Tensor& projected, const CellState& before) const {
  const auto x = projected.chunk(3, -1);
  const auto h = normalized(cell_.recurrent_norm, recurrent_(before.hidden)).chunk(3, -1);
  const Tensor reset = (x[0] + h[0]).sigmoid();
  const Tensor update = (x[1] + h[1]).sigmoid();
  const Tensor candidate = (x[2] + reset * h[2]).tanh();
  return {.hidden = candidate + update * (before.hidden - candidate), .cell = {}};
}

CellState RecurrentCellPass::gru_cho(const Tensor& projected, const CellState& before) const {
  const auto x = projected.chunk(3, -1);
  const auto h = normalized(cell_.recurrent_norm, recurrent_(before.hidden)).chunk(2, -1);
  const Tensor reset = (x[0] + h[0]).sigmoid();
  const Tensor update = (x[1] + h[1]).sigmoid();
  const Tensor candidate = (x[2] + normalized(cell_.candidate_norm, (*candidate_)(reset * before.hidden))).tanh();
  return {.hidden = candidate + update * (before.hidden - candidate), .cell = {}};
}

}  // namespace heed::nn
