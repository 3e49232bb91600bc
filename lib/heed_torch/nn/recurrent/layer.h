// One layer of a recurrent network over whole sentences, read left to right, right to left, or both ways with the two
// states side by side (Schuster and Paliwal 1997, https://doi.org/10.1109/78.650093). The input's part of all steps is
// one product, the steps are a loop over heed_torch/nn/recurrent/cell.h. An LSTM in float32 that has no padding to
// leave out, nor normalization, a tape or a second input, is LibTorch's fused at::lstm: oneDNN's on a CPU, cuDNN's on
// CUDA (not an encoder's there, which always passes a mask). At the lengths of sentences at::gru gains a tenth at most,
// and loses beyond (benchmarks/layers). LibTorch's layers know padding only in packed sequences, which took 1.5 to 1.7
// times as long to train on a CPU.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/recurrent/cell.h"

namespace heed::nn {

enum class Direction { Forward, Backward, Both };

struct RecurrentLayerOptions {
  RecurrentCellOptions cell;  ///< of each direction
  Direction direction = Direction::Forward;
  bool operator==(const RecurrentLayerOptions&) const = default;

  int64_t d_output() const { return direction == Direction::Both ? 2 * cell.d_hidden : cell.d_hidden; }
};

struct RecurrentOutput {
  Tensor states;   ///< float [S, length, d_output]
  CellState last;  ///< float [S, d_output]: after the last real token read; both ways: the two ends side by side
};

/// What a cell reads, step by step.
struct RecurrentInput {
  Tensor x;           ///< float [length, S, d_input]
  Tensor extra = {};  ///< float [length, S, d_extra]: the second input of a cell that has one
  Tensor real = {};   ///< bool [length, S, 1]: false where the state stays as it was; undefined if it never does
};

/// One cell over all steps. `first`: the state to begin with, float [S, d_hidden]; undefined members: zeros. The states
/// are float [length, S, d_hidden], the last one is that of the last real step, without a tape.
RecurrentOutput read_steps(RecurrentCellImpl& cell, const RecurrentInput& input, const CellState& first,
                           bool backwards = false);

class RecurrentLayerImpl : public torch::nn::Module {
 public:
  explicit RecurrentLayerImpl(const RecurrentLayerOptions& options);

  /// x: float [S, length, d_input]; real: bool [S, length], or undefined if every position is: padding leaves the state
  /// as it was, so that it changes nothing whichever way the layer reads. `first`: the state to begin with, for one
  /// direction; undefined members: zeros.
  RecurrentOutput forward(const Tensor& x, const Tensor& real, const CellState& first = {});
  const RecurrentLayerOptions& options() const { return options_; }

  RecurrentCell forward_cell{nullptr};   ///< reads left to right
  RecurrentCell backward_cell{nullptr};  ///< reads right to left

 private:
  RecurrentLayerOptions options_;
};
TORCH_MODULE(RecurrentLayer);

}  // namespace heed::nn
