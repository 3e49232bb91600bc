// One recurrent layer over whole sentences, read left to right, right to left, or in both directions with concatenated
// states (Schuster and Paliwal 1997, https://doi.org/10.1109/78.650093). One matrix multiplication projects the inputs
// of all steps; the steps are a loop over heed_torch/nn/recurrent/cell.h. LibTorch's fused at::lstm replaces the loop
// for a float32 LSTM without padding, normalization, tape and second input. It is oneDNN's on a CPU and cuDNN's on
// CUDA. (An encoder on CUDA always passes a mask, so it uses the loop.) At the lengths of sentences, at::gru is at most
// 10% faster than the loop, and slower on longer inputs (benchmarks/layers). LibTorch's layers support padding only
// with packed sequences, which took 1.5 to 1.7 times as long to train on a CPU.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/cell_options.h"
#include "heed_torch/nn/recurrent/cell.h"

namespace heed::nn {

struct RecurrentOutput {
  Tensor states;   ///< float [S, length, d_output]
  CellState last;  ///< float [S, d_output]: after the last real token read; for both directions, the two end states
                   ///< concatenated
};

/// The input of a cell, step by step.
struct RecurrentInput {
  Tensor x;           ///< float [length, S, d_input]
  Tensor extra = {};  ///< float [length, S, d_extra]: the second input, if the cell has one
  Tensor real = {};   ///< bool [length, S, 1]: false = the state does not change at this step; undefined: all true
};

/// Runs one cell over all steps. `first`: the initial state, float [S, d_hidden]; undefined members: zeros. The states
/// are float [length, S, d_hidden]. `last` is that of the last real step, without a tape.
RecurrentOutput read_steps(RecurrentCellImpl& cell, const RecurrentInput& input, const CellState& first,
                           bool backwards = false);

class RecurrentLayerImpl : public torch::nn::Module {
 public:
  explicit RecurrentLayerImpl(const RecurrentLayerOptions& options);

  /// x: float [S, length, d_input]; real: bool [S, length], or undefined if all positions are real. Padding does not
  /// change the state, so it has no effect in either direction. `first`: the initial state, for one direction only;
  /// undefined members: zeros.
  RecurrentOutput forward(const Tensor& x, const Tensor& real, const CellState& first = {});
  const RecurrentLayerOptions& options() const { return options_; }

  RecurrentCell forward_cell{nullptr};   ///< reads left to right
  RecurrentCell backward_cell{nullptr};  ///< reads right to left

 private:
  RecurrentLayerOptions options_;
};
TORCH_MODULE(RecurrentLayer);

}  // namespace heed::nn
