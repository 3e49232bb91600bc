// The initial state of a recurrent decoder: zeros, or computed from the encoder's states
// (heed/architecture/rnn_options.h).
#pragma once

#include <cstdint>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/memory_shape.h"
#include "heed/architecture/rnn_options.h"
#include "heed_torch/models/common/memory.h"
#include "heed_torch/nn/linear.h"

namespace heed::models {

class InitialStateImpl : public torch::nn::Module {
 public:
  /// The options must fit `memory`; models::validate checks this.
  InitialStateImpl(const RnnDecoderOptions& options, const MemoryShape& memory);

  /// The initial states of the decoder's layers, float [S, d_hidden].
  std::vector<CellState> forward(const Memory& memory);

  nn::Linear hidden{nullptr};  ///< W, b of all layers stacked; only for mean and bridge
  nn::Linear cell{nullptr};    ///< the same for the LSTM's cells

 private:
  std::vector<CellState> mapped(const Tensor& from_hidden, const Tensor& from_cell);

  InitialStateOptions options_;
  RnnStackOptions stack_;
};
TORCH_MODULE(InitialState);

}  // namespace heed::models
