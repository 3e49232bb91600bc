// The vectors of a source, as a search hands them to its model.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/core/files/vector_layout.h"

namespace heed::search {

struct SourceItem {
  GridShape shape;            ///< a sequence has one row
  std::vector<float> values;  ///< [rows, columns, width], row-major
  int64_t positions = 0;      ///< how many vectors an encoder reads of it
  bool has_text = false;      ///< whether it stands beside text; else it is the whole source
};

}  // namespace heed::search
