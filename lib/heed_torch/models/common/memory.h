// The memory: the output of an encoder, which the decoder attends to.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/nn/recurrent/cell.h"

namespace heed::models {

using at::Tensor;
using nn::CellState;

/// The encoded source of S sentences.
struct Memory {
  Tensor states;                ///< float [S, source, d]
  Tensor embedded = {};         ///< float [S, source, d]: what a convolutional encoder read, of which a convolutional
                                ///< decoder's contexts are made beside the states; undefined otherwise
  Tensor mask;                  ///< bool [S, source], true = a real token
  Tensor tokens;                ///< int64 [S, source], pad 0
  std::vector<CellState> last;  ///< per layer, for decoders that start from the encoder's end; may be empty

  int64_t sentences() const { return tokens.size(0); }
};

}  // namespace heed::models
