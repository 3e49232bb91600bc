// The cells of recurrent networks (heed_torch/nn/recurrent/cell.h has the formulas), on rows of floats. What a cell
// reads is multiplied for many rows at once; a step then multiplies the states of all rows that take it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/architecture/cell_options.h"
#include "heed/engine/common/matrix.h"
#include "heed/engine/recurrent/tape.h"
#include "heed/kernels/row_kernels.h"

namespace heed::engine {

/// One row of a step: where its numbers are, [d_hidden] each. What comes after may take the place of what was before.
struct CellRow {
  const float* projected;        ///< of what it reads: a row of RecurrentCell::project
  const float* extra = nullptr;  ///< of its second input, if it has one: a row of project_extra
  const float* hidden_before;
  const float* cell_before;  ///< of an LSTM
  float* hidden;
  float* cell;
  TapeRow tape = {};  ///< of a cell with a memory tape
};

class RecurrentCell {
 public:
  /// name: of the cell's parameters.
  RecurrentCell(const Weights& weights, const std::string& name, const nn::RecurrentCellOptions& options,
                Precision precision);

  const nn::RecurrentCellOptions& options() const { return options_; }
  bool has_cell() const { return options_.kind == nn::CellKind::Lstm; }
  const TapeAttention* tape() const { return tape_ ? &*tape_ : nullptr; }

  /// The memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision), tape(precision) {}
    Operand operand;
    Rows before, recalled, sums, more_sums, part;
    TapeAttention::Scratch tape;
    std::vector<TapedInput> taped_inputs;
    std::vector<TapedState> taped_states;
    std::vector<CellRow> rows;
  };
  /// W x + b: [rows, d_input] -> [rows, projected_width].
  void project(const Rows& x, Scratch& scratch, Rows& projected) const;
  /// gates * d_hidden, and d_hidden more of a tape.
  int64_t projected_width() const { return input_.out(); }
  /// Of the second input, [rows, d_extra] -> [rows, gates * d_hidden].
  void project_extra(const Rows& x, Scratch& scratch, Rows& projected) const;
  void step(std::span<const CellRow> rows, Scratch& scratch) const;
  /// Makes states the first entries of their tapes; nothing without tapes.
  void begin_tapes(std::span<const CellRow> rows, Scratch& scratch) const;

 private:
  int64_t gates_width() const { return nn::gates_of(options_.kind) * options_.d_hidden; }
  std::span<const CellRow> recall(std::span<const CellRow> rows, Scratch& scratch) const;
  void next(std::span<const CellRow> rows, Scratch& scratch) const;
  void lstm(std::span<const CellRow> rows, Scratch& scratch) const;
  void gru_cho(std::span<const CellRow> rows, Scratch& scratch) const;

  nn::RecurrentCellOptions options_;
  Matrix input_, extra_;
  Matrix recurrent_;  // U; of gru-cho that of its gates
  Matrix candidate_;  // of gru-cho
  std::optional<kernels::NormWeights> input_norm_, extra_norm_, recurrent_norm_, candidate_norm_, cell_norm_;
  std::optional<TapeAttention> tape_;
};

}  // namespace heed::engine
