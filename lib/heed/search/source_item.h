// The vectors of a source, as input of a model.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/core/files/vector_layout.h"

namespace heed::search {

struct SourceItem {
  GridShape shape;            ///< a sequence has one row
  std::vector<float> values;  ///< [rows, columns, width], row-major
  int64_t positions = 0;      ///< encoder positions of the vectors
  bool has_text = false;      ///< whether the source has text too; false: the vectors are the whole source
};

}  // namespace heed::search
