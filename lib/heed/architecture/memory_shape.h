// The shape of an encoder's memories.
#pragma once

#include <cstdint>
#include <vector>

namespace heed::models {

/// What a decoder may rely on in the memories of an encoder, known before either is built.
struct MemoryShape {
  int64_t d_memory = 0;            ///< width of Memory::states; 0: there is no encoder
  std::vector<int64_t> last = {};  ///< widths of Memory::last; empty where the encoder leaves none
  bool cells = false;              ///< whether Memory::last has cells
  int64_t vocabulary = 0;          ///< source ids; 0 where not known yet
};

}  // namespace heed::models
