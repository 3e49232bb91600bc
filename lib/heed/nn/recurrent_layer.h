// One layer of a recurrent network over whole sentences, read left to right, right to left, or both ways with the two
// states side by side (Schuster and Paliwal 1997, https://doi.org/10.1109/78.650093). The input's part of all steps is
// one product, the steps are a loop over nn/recurrent_cell.h. LibTorch's own layers (at::lstm, at::gru), which know
// padding only in packed sequences, took 1.5 to 1.7 times as long to train on a CPU on sentences of different lengths.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/nn/recurrent_cell.h"

namespace heed::nn {

enum class Direction { Forward, Backward, Both };

struct RecurrentLayerOptions {
  RecurrentCellOptions cell;                 ///< of each direction
  Direction direction = Direction::Forward;
  bool operator==(const RecurrentLayerOptions&) const = default;

  int64_t d_output() const { return direction == Direction::Both ? 2 * cell.d_hidden : cell.d_hidden; }
};

struct RecurrentOutput {
  Tensor states;   ///< float [S, length, d_output]
  CellState last;  ///< float [S, d_output]: after the last real token read; both ways: the two ends side by side
};

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
