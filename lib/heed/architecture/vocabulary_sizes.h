// The vocabulary sizes of a model.
#pragma once

#include <cstdint>

namespace heed::models {

/// The sizes of the two vocabularies, including special ids.
struct VocabularySizes {
  int64_t source = 0;  ///< 0 for a language model
  int64_t target = 0;
  bool operator==(const VocabularySizes&) const = default;
};

}  // namespace heed::models
