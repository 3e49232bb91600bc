// The distribution of negative samples: words in proportion to count^(3/4) (Mikolov et al. 2013, section 2.2,
// https://arxiv.org/abs/1310.4546).
#pragma once

#include <cstdint>
#include <vector>

#include "heed/core/random.h"

namespace heed::vectors {

class NoiseWords {
 public:
  explicit NoiseWords(const std::vector<int64_t>& counts);
  /// Samples the index of a word.
  int32_t draw(RandomStream& random) const;

 private:
  std::vector<double> sums_;
};

}  // namespace heed::vectors
