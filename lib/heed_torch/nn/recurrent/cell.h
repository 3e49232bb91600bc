// Recurrent cells: one step from the previous state h to the next, given an input x.
//   tanh, relu  h' = f(W x + b + U h)                                          Elman 1990
//   lstm        i, f, o = sigmoid(W x + b + U h), g = tanh(W x + b + U h),     Hochreiter and Schmidhuber 1997;
//               c' = f c + i g,  h' = o tanh(c')                               Gers et al. 2000
//   gru         r, z = sigmoid(W x + b + U h + d),                             LibTorch's and cuDNN's GRU:
//               n = tanh(W x + b + r (U h + d)),  h' = (1 - z) n + z h         the reset gate acts on the product
//   gru-cho     n = tanh(W x + b + U (r h)), the rest as gru but without d     Cho et al. 2014,
//                                                                              https://arxiv.org/abs/1406.1078
// Layer normalization (Ba et al. 2016, https://arxiv.org/abs/1607.06450, section 3.1) applies to W x and to U h, and
// for the LSTM to c' within tanh(c'). The biases of the norms replace b. gru-cho multiplies separately for its
// candidate, so it normalizes U h of the gates and U (r h) separately. The contribution of a memory tape is not
// normalized.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/cell_options.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/norm.h"
#include "heed_torch/nn/recurrent/memory_tape.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::nn {

/// The state of a cell.
struct CellState {
  Tensor hidden;         ///< float [rows, d_hidden]
  Tensor cell;           ///< float [rows, d_hidden] for an LSTM, undefined otherwise
  MemoryTape tape = {};  ///< all previous states, for a cell with a memory tape
};

class RecurrentCellImpl;

/// The cell in one pass over the steps, with its weights prepared for the loop (heed_torch/nn/step_linear.h).
class RecurrentCellPass {
 public:
  explicit RecurrentCellPass(RecurrentCellImpl& cell);

  /// Computes one step. projected: the input, from RecurrentCell::project or input(); extra: float [rows, d_extra], if
  /// the cell has a second input.
  CellState operator()(const Tensor& projected, const CellState& before, const Tensor& extra = {}) const;
  /// Computes one step. If the cell has a second input, `projected` includes it already (RecurrentCell::project_both).
  CellState step(const Tensor& projected, const CellState& before) const;
  /// `state` as the first state of a pass. If the cell has a tape, it starts here.
  CellState first(const CellState& state) const;
  /// project() for the input of one step. x: float [rows, d_input] -> float, the last dimension as in project().
  Tensor input(const Tensor& x) const;

 private:
  CellState go_on(const Tensor& sums, const Tensor& projected, const CellState& before) const;
  CellState next(const Tensor& from_input, const CellState& before) const;
  CellState lstm(const Tensor& sums, const CellState& before) const;
  CellState gru(const Tensor& projected, const CellState& before) const;
  CellState gru_cho(const Tensor& projected, const CellState& before) const;

  RecurrentCellImpl& cell_;
  StepLinear recurrent_;
  std::optional<StepLinear> candidate_;  // gru-cho: U of the candidate
  std::optional<StepLinear> extra_;
  StepLinear input_;
  std::optional<TapeAttentionPass> tape_;
};

class RecurrentCellImpl : public torch::nn::Module {
 public:
  explicit RecurrentCellImpl(const RecurrentCellOptions& options);

  /// W x + b for any number of steps in one matrix multiplication. x: float [..., d_input] -> float [..., gates *
  /// d_hidden]. If the cell has a tape, d_hidden more columns follow: W_x of heed_torch/nn/recurrent/memory_tape.h.
  Tensor project(const Tensor& x);
  /// project(x) plus the projection of the second input. extra: float [..., d_extra], undefined without a second input.
  Tensor project_both(const Tensor& x, const Tensor& extra);
  RecurrentCellPass begin() { return RecurrentCellPass(*this); }
  /// A state of zeros, with the device and dtype of `like`.
  CellState zero_state(int64_t rows, const Tensor& like) const;
  const RecurrentCellOptions& options() const { return options_; }
  /// W x + b as used in the sums: normalized if the cell has layer normalization. The tape's columns are not changed.
  /// projected: float, from project() -> the same shape.
  Tensor normalized_sums(const Tensor& projected);
  /// projected without the tape's columns: float [..., gates * d_hidden].
  Tensor sums_of(const Tensor& projected) const;
  /// The tape's columns of projected: float [..., d_hidden].
  Tensor tape_part_of(const Tensor& projected) const;

  Linear input;           ///< W, b: [gates * d_hidden, d_input]; gates in the order i f g o, or r z n
  Linear recurrent;       ///< U (and d of gru): [gates * d_hidden, d_hidden]
  Linear extra{nullptr};  ///< projection of the second input [gates * d_hidden, d_extra]
  TapeAttention tape{nullptr};
  Norm input_norm{nullptr}, recurrent_norm{nullptr}, extra_norm{nullptr}, cell_norm{nullptr};
  Norm candidate_norm{nullptr};  ///< for gru-cho's U (r h)

 private:
  Norm add_norm(const std::string& name, int64_t gates);
  /// Replaces the sums in projected; the tape's columns stay.
  Tensor with_sums(const Tensor& sums, const Tensor& projected) const;

  RecurrentCellOptions options_;
};
TORCH_MODULE(RecurrentCell);

}  // namespace heed::nn
