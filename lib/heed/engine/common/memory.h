// The memory: what an encoder leaves of sources that stand side by side (heed_torch/models/common/memory.h).
#pragma once

#include <vector>

#include "heed/engine/common/rows.h"

namespace heed::engine {

/// The state of a recurrent layer behind the last token that it read.
struct LastState {
  Rows hidden;  ///< [sentences, width]
  Rows cell;    ///< of an LSTM; else no rows
};

struct Memory {
  Rows states;                  ///< [tokens of all sources, d_memory]
  Rows embedded;                ///< what a convolutional encoder read, [tokens, d_model]; else no rows
  std::vector<LastState> last;  ///< of each layer of a recurrent encoder
};

}  // namespace heed::engine
