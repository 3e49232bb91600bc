// The cells of recurrent networks (nn/recurrent/cell.h has the formulas), on rows of floats. What a cell reads is
// multiplied for many rows at once, W x + b and the second input's part in one product where no norm keeps them apart;
// a step then multiplies the states of all rows that take it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/engine/kernels/row_kernels.h"
#include "heed/engine/matrix.h"
#include "heed/engine/recurrent/tape.h"
#include "heed/nn/recurrent/cell_options.h"

namespace heed::engine {

/// One row of a step: where its numbers are, [d_hidden] each. What comes after may take the place of what was before.
struct CellRow {
  const float* projected;  ///< of what it reads: a row of RecurrentCell::project
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
  /// in: [rows, d_input + d_extra], the second input behind the first -> projected: [rows, gates * d_hidden, and
  /// d_hidden more of a tape].
  void project(const Rows& in, Scratch& scratch, Rows& projected) const;
  void step(std::span<const CellRow> rows, Scratch& scratch) const;
  /// Makes states the first entries of their tapes; nothing without tapes.
  void begin_tapes(std::span<const CellRow> rows, Scratch& scratch) const;

 private:
  int64_t gates_width() const { return nn::gates_of(options_.kind) * options_.d_hidden; }
  void project_normalized(const Rows& in, Scratch& scratch, Rows& projected) const;
  std::span<const CellRow> recall(std::span<const CellRow> rows, Scratch& scratch) const;
  void next(std::span<const CellRow> rows, Scratch& scratch) const;
  void lstm(std::span<const CellRow> rows, Scratch& scratch) const;
  void gru_cho(std::span<const CellRow> rows, Scratch& scratch) const;

  nn::RecurrentCellOptions options_;
  Matrix input_;      // [W E], or W alone with norms
  Matrix extra_;      // E, with norms
  Matrix recurrent_;  // U; of gru-cho that of its gates
  Matrix candidate_;  // of gru-cho
  std::optional<NormWeights> input_norm_, extra_norm_, recurrent_norm_, candidate_norm_, cell_norm_;
  std::optional<TapeAttention> tape_;
};

}  // namespace heed::engine
