// The encoder output of several sources, concatenated (heed_torch/models/common/memory.h).
#pragma once

#include <vector>

#include "heed/engine/common/rows.h"

namespace heed::engine {

/// The state of a recurrent layer after the last token it read.
struct LastState {
  Rows hidden;  ///< [sentences, width]
  Rows cell;    ///< LSTM only; else no rows
};

struct Memory {
  Rows states;                  ///< [tokens of all sources, d_memory]
  Rows embedded;                ///< the input of a convolutional encoder, [tokens, d_model]; else no rows
  std::vector<LastState> last;  ///< per layer of a recurrent encoder
};

}  // namespace heed::engine
