// Widths and parts of an encoder's memory, known before encoder and decoder are built.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/models/architecture.h"

namespace heed::models {

struct MemoryShape {
  int64_t d_memory = 0;            ///< width of Memory::states; 0: there is no encoder
  std::vector<int64_t> last = {};  ///< widths of Memory::last; empty where the encoder leaves none
  bool cells = false;              ///< whether Memory::last has cells
  int64_t vocabulary = 0;          ///< source ids; 0 where not known yet
};

MemoryShape memory_shape(const ArchitectureOptions& options);

}  // namespace heed::models
