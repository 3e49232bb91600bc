// The cells of recurrent networks, on rows of floats; heed_torch/nn/recurrent/cell.h has the formulas. The inputs of
// many rows are multiplied at once. Each step then multiplies the states of all its rows.
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

/// One row of a step: pointers to its numbers, [d_hidden] each. The new state may overwrite the old one.
struct CellRow {
  const float* projected;        ///< the projected input: a row of RecurrentCell::project
  const float* extra = nullptr;  ///< the projected second input, if any: a row of project_extra
  const float* hidden_before;
  const float* cell_before;  ///< LSTM only
  float* hidden;
  float* cell;
  TapeRow tape = {};  ///< only for a cell with a memory tape
};

class RecurrentCell {
 public:
  /// name: prefix of the cell's parameters.
  RecurrentCell(const Weights& weights, const std::string& name, const nn::RecurrentCellOptions& options,
                Precision precision);

  const nn::RecurrentCellOptions& options() const { return options_; }
  bool has_cell() const { return options_.kind == nn::CellKind::Lstm; }
  const TapeAttention* tape() const { return tape_ ? &*tape_ : nullptr; }

  /// The working memory of one thread.
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
  /// gates * d_hidden, plus d_hidden with a memory tape.
  int64_t projected_width() const { return input_.out(); }
  /// Projects the second input, [rows, d_extra] -> [rows, gates * d_hidden].
  void project_extra(const Rows& x, Scratch& scratch, Rows& projected) const;
  void step(std::span<const CellRow> rows, Scratch& scratch) const;
  /// Writes states as the first entries of their tapes; does nothing without tapes.
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
