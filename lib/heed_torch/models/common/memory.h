// The memory is the encoder output, which the decoder attends to.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/nn/recurrent/cell.h"

namespace heed::models {

using at::Tensor;
using nn::CellState;

/// The encoder output for S sentences.
struct Memory {
  Tensor states;                ///< float [S, source, d]
  Tensor embedded = {};         ///< float [S, source, d]: the input of a convolutional encoder; a convolutional
                                ///< decoder's contexts are computed from it and the states. Undefined for other
                                ///< encoders
  Tensor mask;                  ///< bool [S, source], true = a real token
  Tensor tokens;                ///< int64 [S, source], pad 0
  std::vector<CellState> last;  ///< last states per layer, for decoders that start from them; may be empty

  int64_t sentences() const { return tokens.size(0); }
};

}  // namespace heed::models
