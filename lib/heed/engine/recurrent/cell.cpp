#include "heed/engine/recurrent/cell.h"

#include <algorithm>

#include "heed/architecture/norm_options.h"
#include "heed/kernels/cell_kernels.h"

namespace heed::engine {
namespace {

using nn::CellKind;

/// Absent if the cell has no such norm.
std::optional<kernels::NormWeights> read_cell_norm(const Weights& weights, const std::string& name) {
  if (!weights.has(name + ".weight")) return std::nullopt;
  return kernels::NormWeights{.weight = weights.get(name + ".weight").numbers.data(),
                              .bias = weights.get(name + ".bias").numbers.data(),
                              .epsilon = nn::NormOptions{.d_model = 0}.epsilon};
}

/// The rows [first, first + count) of a weight.
Weight rows_of(const Weight& weight, int64_t first, int64_t count) {
  const auto begin = static_cast<size_t>(first * weight.columns), size = static_cast<size_t>(count * weight.columns);
  return {.numbers = weight.numbers.subspan(begin, size), .rows = count, .columns = weight.columns};
}

/// The first `width` columns, in place.
void normalize(Rows& x, const kernels::NormWeights& norm, int64_t width) {
  kernels::norm_rows(x.data(), x.count(), width, x.distance(), norm, x.data());
}

}  // namespace

RecurrentCell::RecurrentCell(const Weights& weights, const std::string& name, const nn::RecurrentCellOptions& options,
                             Precision precision)
    : options_(options),
      input_(read_linear(weights, name + ".input", precision)),
      extra_(read_linear(weights, name + ".extra", precision)),
      input_norm_(read_cell_norm(weights, name + ".input_norm")),
      extra_norm_(read_cell_norm(weights, name + ".extra_norm")),
      recurrent_norm_(read_cell_norm(weights, name + ".recurrent_norm")),
      candidate_norm_(read_cell_norm(weights, name + ".candidate_norm")),
      cell_norm_(read_cell_norm(weights, name + ".cell_norm")) {
  const int64_t d = options.d_hidden;
  if (options.kind == CellKind::GruCho) {
    const Weight recurrent = weights.get(name + ".recurrent.weight");
    recurrent_ = Matrix(rows_of(recurrent, 0, 2 * d), nullptr, precision);
    candidate_ = Matrix(rows_of(recurrent, 2 * d, d), nullptr, precision);
  } else {
    recurrent_ = read_linear(weights, name + ".recurrent", precision);
  }
  if (options.memory_tape) tape_.emplace(weights, name + ".tape", d, has_cell(), precision);
}

void RecurrentCell::project(const Rows& x, Scratch& scratch, Rows& projected) const {
  scratch.operand.take(x);
  input_.multiply(scratch.operand, projected);
  if (input_norm_) normalize(projected, *input_norm_, gates_width());
}

void RecurrentCell::project_extra(const Rows& x, Scratch& scratch, Rows& projected) const {
  scratch.operand.take(x);
  extra_.multiply(scratch.operand, projected);
  if (extra_norm_) normalize(projected, *extra_norm_, gates_width());
}

void RecurrentCell::begin_tapes(std::span<const CellRow> rows, Scratch& scratch) const {
  if (!tape_) return;
  scratch.taped_states.clear();
  for (const CellRow& row : rows) scratch.taped_states.push_back({row.hidden, row.cell, row.tape.entry});
  tape_->enter(scratch.taped_states, scratch.tape);
}

void RecurrentCell::step(std::span<const CellRow> rows, Scratch& scratch) const {
  next(tape_ ? recall(rows, scratch) : rows, scratch);
  begin_tapes(rows, scratch);
}

/// The rows, with the states recalled from the tape instead of the previous states.
std::span<const CellRow> RecurrentCell::recall(std::span<const CellRow> rows, Scratch& scratch) const {
  scratch.taped_inputs.clear();
  for (const CellRow& row : rows) scratch.taped_inputs.push_back({row.projected + gates_width(), &row.tape});
  tape_->recall(scratch.taped_inputs, scratch.tape, scratch.recalled);
  scratch.rows.assign(rows.begin(), rows.end());
  for (size_t r = 0; r < rows.size(); ++r) {
    const float* mixed = scratch.recalled.row(static_cast<int64_t>(r));
    scratch.rows[r].hidden_before = mixed;
    scratch.rows[r].cell_before = mixed + options_.d_hidden;
  }
  return scratch.rows;
}

void RecurrentCell::next(std::span<const CellRow> rows, Scratch& scratch) const {
  scratch.before.resize(std::ssize(rows), options_.d_hidden);
  for (size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(rows[r].hidden_before, options_.d_hidden, scratch.before.row(static_cast<int64_t>(r)));
  }
  scratch.operand.take(scratch.before);
  recurrent_.multiply(scratch.operand, scratch.sums);
  if (recurrent_norm_) normalize(scratch.sums, *recurrent_norm_, recurrent_.out());
  if (options_.kind == CellKind::Lstm) return lstm(rows, scratch);
  if (options_.kind == CellKind::GruCho) return gru_cho(rows, scratch);
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto i = static_cast<int64_t>(r);
    const kernels::CellSums sums{rows[r].projected, rows[r].extra, scratch.sums.row(i)};
    if (options_.kind == CellKind::Gru)
      kernels::gru_cell(sums, options_.d_hidden, scratch.before.row(i), rows[r].hidden);
    if (options_.kind == CellKind::Tanh) kernels::tanh_cell(sums, options_.d_hidden, rows[r].hidden);
    if (options_.kind == CellKind::Relu) kernels::relu_cell(sums, options_.d_hidden, rows[r].hidden);
  }
}

void RecurrentCell::lstm(std::span<const CellRow> rows, Scratch& scratch) const {
  const int64_t d = options_.d_hidden;
  for (size_t r = 0; r < rows.size(); ++r) {
    const CellRow& row = rows[r];
    float* seen = scratch.before.row(static_cast<int64_t>(r));
    kernels::lstm_cell({row.projected, row.extra, scratch.sums.row(static_cast<int64_t>(r))}, d, row.cell_before,
                       row.cell, row.hidden);
    if (cell_norm_) kernels::norm_rows(row.cell, 1, d, d, *cell_norm_, seen);
    kernels::multiply_by_tangent(row.hidden, cell_norm_ ? seen : row.cell, d);
  }
}

void RecurrentCell::gru_cho(std::span<const CellRow> rows, Scratch& scratch) const {
  const int64_t d = options_.d_hidden;
  Rows& reset = scratch.part;
  reset.resize(std::ssize(rows), d);
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto i = static_cast<int64_t>(r);
    float* sums = scratch.sums.row(i);
    kernels::cho_gates({rows[r].projected, rows[r].extra, sums}, d, scratch.before.row(i), reset.row(i), sums);
  }
  scratch.operand.take(reset);
  candidate_.multiply(scratch.operand, scratch.more_sums);
  if (candidate_norm_) normalize(scratch.more_sums, *candidate_norm_, d);
  for (size_t r = 0; r < rows.size(); ++r) {
    const auto i = static_cast<int64_t>(r);
    kernels::cho_cell({rows[r].projected, rows[r].extra, scratch.more_sums.row(i)}, d, scratch.before.row(i),
                      scratch.sums.row(i), rows[r].hidden);
  }
}

}  // namespace heed::engine
