// The cells of recurrent networks: one step from the state h of the positions before to the next, given an input x.
//   tanh, relu  h' = f(W x + b + U h)                                          Elman 1990
//   lstm        i, f, o = sigmoid(W x + b + U h), g = tanh(W x + b + U h),     Hochreiter and Schmidhuber 1997;
//               c' = f c + i g,  h' = o tanh(c')                               Gers et al. 2000
//   gru         r, z = sigmoid(W x + b + U h + d),                             LibTorch's and cuDNN's GRU:
//               n = tanh(W x + b + r (U h + d)),  h' = (1 - z) n + z h         the reset gate acts on the product
//   gru-cho     n = tanh(W x + b + U (r h)), the rest as gru but without d     Cho et al. 2014,
//                                                                              https://arxiv.org/abs/1406.1078
// With layer normalization (Ba et al. 2016, https://arxiv.org/abs/1607.06450, section 3.1) W x and U h, and for the
// LSTM c' within tanh(c'), are normalized, and the norms' biases take b's place; gru-cho, whose candidate has a product
// of its own, normalizes U h of the gates and U (r h) apart. What a memory tape adds is not normalized.
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

/// What a cell remembers.
struct CellState {
  Tensor hidden;         ///< float [rows, d_hidden]
  Tensor cell;           ///< float [rows, d_hidden] for an LSTM, undefined otherwise
  MemoryTape tape = {};  ///< all states so far, for a cell with a memory tape
};

class RecurrentCellImpl;

/// The cell during one pass over the steps: its weights as the loop uses them (heed_torch/nn/step_linear.h).
class RecurrentCellPass {
 public:
  explicit RecurrentCellPass(RecurrentCellImpl& cell);

  /// One step. projected: of the input, from RecurrentCell::project or input(); extra: float [rows, d_extra], if the
  /// cell has one.
  CellState operator()(const Tensor& projected, const CellState& before, const Tensor& extra = {}) const;
  /// One step whose second input, if the cell has one, is in `projected` already (RecurrentCell::project_both).
  CellState step(const Tensor& projected, const CellState& before) const;
  /// `state` as the first one of a pass: its tape begins here where the cell has one.
  CellState first(const CellState& state) const;
  /// project() for the input of one step. x: float [rows, d_input] -> as project() has it for one.
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

  /// W x + b of any number of steps in one product. x: float [..., d_input] -> float [..., gates * d_hidden], and
  /// d_hidden more, the W_x of heed_torch/nn/recurrent/memory_tape.h, where the cell has a tape.
  Tensor project(const Tensor& x);
  /// project(x) with the second input's part added; extra: float [..., d_extra], undefined if the cell has none.
  Tensor project_both(const Tensor& x, const Tensor& extra);
  RecurrentCellPass begin() { return RecurrentCellPass(*this); }
  /// The state of zeros, of the device and dtype of `like`.
  CellState zero_state(int64_t rows, const Tensor& like) const;
  const RecurrentCellOptions& options() const { return options_; }
  /// W x + b as it enters the sums: normalized if the cell is. The tape's part, behind it, stays as it is.
  /// projected: float [..., as wide as project() makes it] -> the same shape.
  Tensor normalized_sums(const Tensor& projected);
  /// projected without the tape's part: float [..., gates * d_hidden].
  Tensor sums_of(const Tensor& projected) const;
  /// The tape's part of projected: float [..., d_hidden].
  Tensor tape_part_of(const Tensor& projected) const;

  Linear input;           ///< W, b: [gates * d_hidden, d_input]; gates in the order i f g o, or r z n
  Linear recurrent;       ///< U (and d of gru): [gates * d_hidden, d_hidden]
  Linear extra{nullptr};  ///< the second input's map [gates * d_hidden, d_extra]
  TapeAttention tape{nullptr};
  Norm input_norm{nullptr}, recurrent_norm{nullptr}, extra_norm{nullptr}, cell_norm{nullptr};
  Norm candidate_norm{nullptr};  ///< of gru-cho's U (r h)

 private:
  Norm add_norm(const std::string& name, int64_t gates);
  /// projected with other sums in place of its own.
  Tensor with_sums(const Tensor& sums, const Tensor& projected) const;

  RecurrentCellOptions options_;
};
TORCH_MODULE(RecurrentCell);

}  // namespace heed::nn
