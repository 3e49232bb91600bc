// The shape of the encoder output.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::models {

/// What a decoder can expect of the encoder output. It is known before encoder and decoder are built.
struct MemoryShape {
  int64_t d_memory = 0;            ///< width of Memory::states; 0: without an encoder
  std::vector<int64_t> last = {};  ///< widths of Memory::last; empty if the encoder returns no last states
  bool cells = false;              ///< whether Memory::last has cells (of an LSTM)
  int64_t vocabulary = 0;          ///< size of the source vocabulary; 0: not known yet
};

}  // namespace heed::models
